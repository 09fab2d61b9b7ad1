// The back of the board: whose names go on it.

import { $, capital, el, get, tell, words } from "./common.js";

get("/api/honours").then((honours) => {
  $("none").hidden = honours.length > 0;
  $("inscriptions").replaceChildren(...honours.map((one) => el("li", {}, el("p", { class: "honour" }, capital(words(one.honour))), el("p", {}, `${one.who}${one.by ? `, by ${one.by}` : ""}`),
    el("p", { class: "owed" }, [one.when || "date not known", one.owed ? `owed: ${one.owed}` : ""].filter(Boolean).join(" · "), one.match ? [" · ", el("a", { href: `/matches/${one.match}` }, `match ${one.match}`)] : null))));
}).catch((error) => tell(error.message, true));
$("print").addEventListener("click", () => window.print());
