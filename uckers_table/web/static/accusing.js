// What somebody is accused of, while it is to be put right: marked on the live board, and shown in the box under its words.

import { $, el, get } from "./common.js";
import { Flipped, drawnOnBoard, howLikely } from "./evidence.js";

document.head.append(el("link", { rel: "stylesheet", href: "/static/evidence.css" }));
const box = el("div", { id: "accused", class: "accused", hidden: true });
let shown = "";

export function show(view, accused, { match, question }) {
  // The board is drawn anew whenever it is another, and what lies on it with it.
  const mark = JSON.stringify([accused, view?.turn]), old = view?.root.querySelector(".counted");
  if (old && (!accused || old.dataset.of !== mark)) old.remove();
  if (view && accused && !(old && old.isConnected)) { drawnOnBoard(view, accused); view.root.lastChild.dataset.of = mark; }
  if (!box.isConnected) $("asked-words").after(box);
  const of = accused && question ? `${match}/${accused.ruling}` : "";
  if (of === shown) return;
  shown = of;
  box.hidden = !of;
  box.replaceChildren();
  if (accused?.ruling) fill(of, match, accused).catch(() => { if (shown === of) shown = ""; });
}

async function fill(of, match, accused) {
  const address = `/matches/${match}/${accused.ruling}`, { ruling, rule, taken } = await get(`/api${address}`);
  if (shown !== of) return;
  const pictures = new Flipped(match, accused.ruling, { ruling, taken, accused });
  // The story that was called is what is said; what else may have happened is the likeliest in which nobody did wrong.
  const other = ruling.stories.find((story) => !story.guilty);
  box.replaceChildren(...[
    pictures.isAny ? pictures.root : null,
    rule ? el("blockquote", { class: "rule" }, rule.text, " ", el("cite", {}, rule.source)) : null,
    other ? el("p", { class: "other" }, `Or nobody did wrong (${howLikely(other.odds)}). ${other.say}`) : null,
    el("p", {}, el("a", { href: address }, "Look into it")),
  ].filter(Boolean));
  if (pictures.isAny) pictures.show();
}
