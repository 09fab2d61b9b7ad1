// A ruling as a line of a list, with its pictures behind it.

import { el, clock, words } from "./common.js";

const DISPUTED = new Set(["illegal", "timber_shift"]);
export const isDisputed = (ruling) => DISPUTED.has(ruling.ruling);

export function rulingLine(ruling, match, { thumbs = true } = {}) {
  const at = `/matches/${match}/${ruling.number}`;
  const said = ruling.say || (ruling.side ? `${ruling.side}: ${words(ruling.ruling)}` : words(ruling.ruling));
  return el("li", { class: isDisputed(ruling) ? "disputed" : null, "data-number": ruling.number },
    el("span", { class: "when" }, clock(ruling.t)), el("span", {}, said),
    thumbs && ruling.evidence?.length && match
      ? el("a", { class: "thumbs", href: at, "aria-label": "See the pictures of this ruling" },
        ["before", "after"].filter((what) => ruling.evidence.includes(what)).map((what) => el("span", { class: "shot" }, el("img", { src: `/api/matches/${match}/${ruling.number}/close/${what}.jpg`, alt: `The board ${what}`, loading: "lazy", width: 112, height: 112 }))))
      : isDisputed(ruling) && match ? el("p", {}, el("a", { href: at }, "Look into it")) : null);
}
