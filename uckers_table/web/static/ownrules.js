// Every rule of a set in words, with what else it can be: the rules that a mess plays its own way.

import { $, el } from "./common.js";

// The sections as they are now. What was open stays open, and what is being chosen keeps the focus.
export function showRules(sections, pick) {
  const part = $("options"), open = new Set([...part.querySelectorAll("details[open]")].map((each) => each.dataset.of));
  const held = part.contains(document.activeElement) ? document.activeElement.id || document.activeElement.parentNode.dataset.of : "";
  const folded = (of, summary, ...inside) => el("details", { "data-of": of, open: open.has(of) }, el("summary", {}, summary), ...inside);
  const rule = ({ option, value, usual, values }) => {
    const isChanged = value !== usual, [, now] = values.find(([each]) => each === value);
    const choice = ([each, words, goes], at) => el("label", {}, el("input", { type: "radio", id: `is-${option}-${at}`, name: `is-${option}`, checked: each === value, disabled: !goes && each !== value, onchange: () => pick(option, each === usual ? undefined : each) }),
      el("span", {}, words, each === usual ? el("small", {}, "So these rules have it.") : goes ? null : el("small", {}, "Does not go with the other rules as they are.")));
    const shown = folded(option, [isChanged ? el("strong", {}, "Changed: ") : null, now], el("fieldset", {}, el("legend", {}, "What it can be"), values.map(choice)));
    shown.dataset.option = option;
    return shown;
  };
  part.replaceChildren(...sections.map(({ section, rules }) => {
    const changed = rules.filter(({ value, usual }) => value !== usual).length;
    return folded(section, [section, changed ? el("small", {}, ` ${changed} changed`) : null], ...rules.map(rule));
  }));
  const again = held && (document.getElementById(held) || part.querySelector(`[data-of="${CSS.escape(held)}"] > summary`));
  if (again) again.focus();
}

// What is different from BR 4006, for a card beside the board. Its button prints nothing else.
export function showCard(name, { source, sections, warnings }) {
  $("rule-card").replaceChildren(el("h2", {}, name), el("p", { class: "meta" }, source), ...warnings.map((warning) => el("p", {}, el("strong", {}, `Mind: ${warning}`))),
    sections.length ? el("p", {}, "What is different from BR 4006. In small letters: BR 4006.") : el("p", {}, "These rules are played as BR 4006 has them."),
    ...sections.map(({ section, rules }) => el("section", {}, el("h3", {}, section), el("ul", {}, rules.map(([ours, theirs]) => el("li", {}, ours, el("small", {}, `BR 4006: ${theirs}`)))))));
}
$("print").addEventListener("click", () => {
  document.body.classList.add("prints-card");
  window.print();
});
addEventListener("afterprint", () => document.body.classList.remove("prints-card"));
