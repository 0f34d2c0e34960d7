/* The Referee's board. Knows no rule of the game: buttons carry what they send, pips are counted from the page. */
import { follow } from "./table/stream.js";
import { apply } from "./table/view.js";
import { openFromAddress } from "./table/sheets.js";
import "./table/press.js";
import "./table/acts.js";
import "./table/marks.js";
import "./table/steppers.js";
import "./table/chances.js";
import "./table/order.js";
import "./table/keys.js";
import "./table/standing.js";
import "./table/arrivals.js";
import "./table/invitation.js";
import "./times.js";

follow(apply);
openFromAddress();
