// The matches that are kept, the newest first.

import { $, capital, clock, date, el, get, need, tell, words } from "./common.js";

need(async () => {
  const matches = await get("/api/matches");
  $("none").hidden = matches.length > 0;
  $("list").replaceChildren(...matches.map((match) => {
    if (match.cannot_be_read) return el("li", {}, el("strong", {}, `${match.number}: cannot be read`));
    const result = match.winner.length ? `${capital(match.winner.join(" and "))} won` : match.is_over ? "No result" : "Not finished";
    const who = match.seats.filter((colour) => match.names[colour]).map((colour) => `${match.names[colour]} (${colour})`).join(", ");
    return el("li", {}, el("a", { class: "whole", href: `/matches/${match.number}` },
      el("strong", {}, `${match.number}: ${result}`), match.honours.length ? ` – ${match.honours.map(words).join(", ")}` : "",
      el("br"), [date(match.begun), match.rules, `${match.players} players`, clock(match.lasted_s), `${match.rulings} rulings`].join(" · "), who ? [el("br"), who] : null));
  }));
}).catch((error) => tell(error.message, true));
