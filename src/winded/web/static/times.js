/* Moments in the reader's own time zone, written as the page's language writes them. Without this they stand in UTC. */
const two = figure => String(figure).padStart(2, "0");

function tell(time) {
  const at = new Date(time.dateTime);
  const parts = { year: at.getFullYear(), month: two(at.getMonth() + 1), day: two(at.getDate()), hour: two(at.getHours()), minute: two(at.getMinutes()) };
  time.textContent = time.dataset.as.replace(/\{(\w+)\}/g, (_, part) => parts[part]);
}
const tellAll = () => document.querySelectorAll("time[data-as]").forEach(tell);

for (const name of ["winded:view", "winded:covered"]) document.body.addEventListener(name, tellAll);
tellAll();
