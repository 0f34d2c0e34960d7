/* The player's phone. */
import { follow } from "./table/stream.js";
import { apply } from "./table/view.js";
import "./table/press.js";
import "./table/acts.js";
import "./table/marks.js";
import "./table/steppers.js";
import "./phone/check.js";
import "./phone/turn.js";
import "./table/kept.js";
import "./table/standing.js";
import "./table/terms.js";
import "./phone/tabs.js";
import "./phone/opening.js";
import "./phone/awake.js";
import "./times.js";

follow(apply);
