// What the throws come to.

import { $, el, get, tell } from "./common.js";

get("/api/statistics").then((tables) => {
  $("none").hidden = tables.length > 0;
  $("tables").replaceChildren(...tables.map((table) => el("section", { class: "card" }, el("h2", {}, table.title), table.sentences.map((sentence) => el("p", {}, sentence)),
    table.rows.length ? el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": table.title }, el("table", {}, el("thead", {}, el("tr", {}, table.heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, table.rows.map((row) => el("tr", {}, row.map((cell, column) => (column ? el("td", { class: /^[-+−]?[\d.,%]+$/.test(cell) ? "number" : null }, cell) : el("th", { scope: "row" }, cell)))))))) : null)));
}).catch((error) => tell(error.message, true));
