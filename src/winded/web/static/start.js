/* The start page: another row for a character. */
"use strict";
document.getElementById("another").onclick = () => {
  const rows = document.getElementById("rows"), row = rows.lastElementChild.cloneNode(true);
  for (const field of row.querySelectorAll("input, select")) field.id = field.name + "-" + (rows.children.length + 1);
  row.querySelector("input").value = "";
  rows.append(row);
  row.querySelector("input").focus();
};
document.getElementById("trouble")?.scrollIntoView({ block: "center" });
