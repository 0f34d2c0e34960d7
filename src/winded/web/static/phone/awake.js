/* The screen stays awake where the browser allows it; where it does not, the phone says so. */
import { body, by, on } from "../table/page.js";

let lock = null;
async function stayAwake() {
  if (document.hidden || lock || !navigator.wakeLock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => lock = null);
  } catch {
    lock = null; // A low battery says no; the screen then sleeps as it always does.
  }
}
const tell = () => by("sleeps") && (by("sleeps").hidden = "wakeLock" in navigator);
body.addEventListener("winded:view", tell);
tell();
on("visibilitychange", stayAwake);
stayAwake();
