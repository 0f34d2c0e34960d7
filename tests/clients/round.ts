// A whole round at a table, by a client that openapi-fetch and openapi-typescript make of the description alone.
import createClient from "openapi-fetch";
import type { components, paths } from "./winded.js";

type Command = components["schemas"]["Command"];

declare const process: { argv: string[] };
declare const console: { log(text: string): void };

const baseUrl = process.argv[2] ?? "";
const anyone = createClient<paths>({ baseUrl });

function sure<Data>(answer: { data?: Data; error?: { message: string } }): Data {
  if (answer.data === undefined) throw new Error(answer.error?.message ?? "no answer");
  return answer.data;
}

function seat(table: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  const at = { params: { path: { table } } };
  return {
    client,
    at,
    async play(body: Command) {
      const done = sure(await client.POST("/api/tables/{table}/commands", { ...at, body }));
      if (!("accepted" in done)) throw new Error("only asked for");
      return done;
    },
  };
}

const begun = sure(
  await anyone.POST("/api/tables", {
    body: { name: "The Gate", characters: [{ name: "Ash", con: "d12" }, { name: "Wolf", side: "enemy", con: "d6" }] },
  }),
);
const referee = seat(begun.id, begun.token);
const invitation = sure(
  await referee.client.POST("/api/tables/{table}/links", { ...referee.at, body: { role: "invitation" } }),
);
const joined = sure(
  await anyone.POST("/api/join", { body: { name: "Pip", invitation: invitation.token, character: "Ash" } }),
);
const player = seat(begun.id, joined.token);

await referee.play({ do: "start_combat" });
const early = await player.play({ do: "act_early", character: "Ash", cost: 1 });
for (const event of early.events) if (event.event === "acted_early" && event.leaves !== 11) throw new Error("11 are left");
await referee.play({ do: "begin_turns" });
await referee.play({ do: "next_turn" });
await player.play({ do: "declare_check", character: "Ash", push: 2, strain: "holding the gate", target: 14 });
await player.play({ do: "resolve_check", character: "Ash", roll: 12 });
await referee.play({ do: "next_turn" });

const offered = sure(
  await player.client.GET("/api/tables/{table}/options", {
    params: { path: { table: begun.id }, query: { character: "Ash" } },
  }),
);
if (!("options" in offered)) throw new Error("the options of a character");
const react = offered.options.find((option) => option.command.do === "react");
if (react === undefined || react.refusal !== null) throw new Error("Ash can react");
await player.play(react.command);

const refused = await player.client.POST("/api/tables/{table}/commands", {
  ...player.at,
  body: { do: "react", character: "Ash", cost: 1 },
});
if (refused.error?.error !== "refused" || refused.error.rule !== "cost-changed") throw new Error("the cost has changed");

const state = sure(await referee.client.GET("/api/tables/{table}/state", referee.at));
const history = sure(await player.client.GET("/api/tables/{table}/journal", player.at));
console.log(
  JSON.stringify({
    stamina: state.characters["Ash"]?.stamina,
    reaction: state.characters["Ash"]?.reaction_cost,
    turn: state.combat?.turn,
    last: history.entries.at(-1)?.told.map((line) => line.rule),
  }),
);
