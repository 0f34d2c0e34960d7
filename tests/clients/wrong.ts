// Commands that are none: each must be refused by the compiler, and tsc says so of one that is not.
import type { components } from "./winded.js";

type Command = components["schemas"]["Command"];
type NewTable = components["schemas"]["NewTable"];

export const right: Command[] = [
  { do: "react", character: "Ash" },
  { do: "add_character", name: "Ash", con: "d12" },
  { do: "add_character", name: "Wolf", side: "enemy" },
];
// @ts-expect-error there is no such command
export const unknown: Command = { do: "dance" };
// @ts-expect-error nobody reacts
export const incomplete: Command = { do: "react" };
// @ts-expect-error a field of another command
export const foreign: Command = { do: "react", character: "Ash", push: 2 };
// @ts-expect-error a text is no number
export const text: Command = { do: "declare_check", character: "Ash", push: "2" };
// @ts-expect-error a name is a text
export const numbered: Command = { do: "add_character", name: 7 };
// @ts-expect-error a side is one of two
export const sided: Command = { do: "add_character", name: "Ash", side: "third" };
// @ts-expect-error a new character has a name
export const nameless: NewTable = { name: "The Gate", characters: [{ con: "d12" }] };
