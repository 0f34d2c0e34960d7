/* The spectators' page. */
import { follow } from "./table/stream.js";
import { apply } from "./table/view.js";
import "./table/kept.js";
import "./times.js";

follow(apply);
