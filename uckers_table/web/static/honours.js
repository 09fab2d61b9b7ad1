// The back of the board: whose names go on it.

import { $, el, get, need, tell } from "./common.js";

need(async () => {
  const honours = await get("/api/honours");
  $("none").hidden = honours.length > 0;
  $("board-back").hidden = !honours.length;
  if (honours.length) $("drawn").src = "/api/honours.svg";
  $("inscriptions").replaceChildren(...honours.map((one) => el("li", {}, el("strong", {}, one.who), ` ${one.told}`, el("br"),
    [one.date ? new Date(one.date).toLocaleDateString([], { dateStyle: "long" }) : "date not known", one.crates ? `${one.crates} ${one.crates === 1 ? "crate" : "crates"} of beer owed` : ""].filter(Boolean).join(" · "),
    " · ", el("a", { href: `/matches/${one.match}` }, `match ${one.match}`))));
}).catch((error) => tell(error.message, true));
$("print").addEventListener("click", () => window.print());
