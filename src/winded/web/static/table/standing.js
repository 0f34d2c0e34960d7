/* “How do I stand?”: asked by a button or a key, said and shown in sentences. */
import { at, on, words } from "./page.js";
import { ask } from "./ask.js";
import { message, say } from "./said.js";

on("click", async event => {
  const button = event.target.closest("[data-standing]");
  if (!button) return;
  const answer = await ask(at + "/" + button.dataset.standing);
  say(answer ? message(answer.text) : words.unopened);
});
