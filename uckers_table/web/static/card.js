// The first card: a line for each part of the table, and where to press.

import { ask, el } from "./common.js";

// Lines that are as they were stay: a finger may be on one.
export function showCard(list, lines = []) {
  const fresh = lines.map((line) => {
    const key = JSON.stringify(line);
    return [...list.children].find((item) => item.dataset.key === key) || shown(key, line);
  });
  if (fresh.length !== list.children.length || fresh.some((item, at) => item !== list.children[at])) list.replaceChildren(...fresh);
}

function shown(key, { part, words, is_well: isWell, to_try: toTry, where, is_pressed_here: isHere }) {
  return el("li", { "data-key": key, "data-part": part }, el("span", { class: isWell ? "well" : "bad" }, where ? el("a", { href: where }, words) : words),
    isHere ? sound() : null, toTry ? el("p", {}, toTry) : null);
}

// The voice is tested where one reads of it: it says a sentence, and whoever has pressed says whether it was heard.
function sound() {
  const answers = [["I hear it", true], ["I hear nothing", false]].map(([label, is]) =>
    el("button", { type: "button", class: "quiet", hidden: true, onclick: () => ask({ do: "heard", is_heard: is }, { quiet: true }) }, label));
  const test = el("button", { type: "button", class: "quiet", onclick: async () => {
    if (await ask({ do: "test_sound" }, { quiet: true })) for (const answer of answers) answer.hidden = false;
  } }, "Test");
  return el("span", { class: "buttons" }, test, answers);
}
