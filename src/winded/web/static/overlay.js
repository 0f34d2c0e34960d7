/* The overlay. What its own address asks for, its key above all, goes on to its live stream. */
import { words } from "./table/page.js";
import { follow } from "./table/stream.js";
import { apply } from "./table/view.js";

if (location.search.length > 1) words.live += "&" + location.search.slice(1);
follow(apply);
