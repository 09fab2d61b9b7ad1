// What the throws come to.

import { $, cards, el, get, need, tell } from "./common.js";

need(async () => {
  const { tables } = await get("/api/statistics");
  $("none").hidden = tables.length > 0;
  $("tables").replaceChildren(...tables.map(({ title, sentences, heads, rows }) => el("section", { class: "card" }, el("h2", {}, title), sentences.map((sentence) => el("p", {}, sentence)),
    rows.length ? cards(title, heads, rows) : null)));
}).catch((error) => tell(error.message, true));
