// Starting a match: the rules, what is played otherwise, who sits where. Setting up a table ends with it too.

import { $, COLOURS, ask, capital, chip, colourButtons, el, get, need, sure, tell, watch } from "./common.js";
import { showCard, showRules } from "./ownrules.js";

// The rules that were chosen one by one, by their options, as they are to be played.
let state = {}, sets = [], rules = "", shown = "", wasOffered = false, offered, picked = {};
const OF_THE_BOARD = ["arms", "arm_length", "doorstep_position"];
const lastTime = new Promise((resolve) => { offered = resolve; });
const IS_SETTING_UP = document.body.dataset.page === "setup";
let seats = COLOURS.slice(0, 4);

function showSets() {
  $("sets").replaceChildren(...sets.flatMap((set) => [
    el("label", {}, el("input", { type: "radio", name: "rules", value: set.name, checked: set.name === rules, disabled: Boolean(set.trouble), onchange: () => choose(set.name).catch(gone) }), el("span", {}, el("strong", {}, set.name), set.trouble ? "" : ` – ${set.source}${set.dice === 1 ? "; one die" : ""}`, el("small", {}, set.trouble || set.known_by))),
    set.is_kept ? el("p", { class: "buttons" }, el("button", { type: "button", class: "quiet", "aria-label": `Take away: ${set.name}`, onclick: () => takeAway(set.name) }, "Take away")) : null]).filter(Boolean));
}

// Another phone may have taken away what this one still lists.
async function gone(error) {
  tell(error.message, true);
  await fetchSets();
}
async function fetchSets() {
  sets = await get("/api/rules");
  showSets();
}

async function takeAway(name) {
  if (!(await sure(`Take “${name}” away?`, { yes: "Take it away", no: "Leave it", words: "Matches that were played by these rules stay as they are." }))) return;
  const isDone = await ask({ do: "take_rules_away", name });
  await fetchSets().catch(() => {});
  if (isDone && rules === name) await choose(sets.find((set) => !set.trouble).name, {}).catch(gone);
  $("sets-part").firstElementChild.focus();
}

// One name in the ways in which people write it.
const asOne = (name) => name.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase().replaceAll("_", " ");
async function keep() {
  const name = $("keep-name").value;
  const same = () => sets.find((set) => set.is_kept && asOne(set.name) === asOne(name)), there = same();
  if (there && !(await sure(`“${there.name}” is kept already.`, { yes: "Replace it", no: "Leave it", words: "What it was is lost then. Matches that were played by it stay as they are." }))) return;
  const isDone = await ask({ do: "keep_rules", name, rules, options: changed(), replaces: Boolean(there) });
  await fetchSets().catch(() => {});
  const kept = same();
  if (!isDone || !kept) {
    // Where another phone was quicker, it is asked about what is there now.
    if (kept && !there) await keep();
    return;
  }
  $("keep-name").value = "";
  $("keep-part").open = false;
  $("keep-part").firstElementChild.focus();
  shown = "";
  await choose(kept.name, {}).catch(gone);
  showSets();
}
$("keep").addEventListener("click", keep);
$("keep-name").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); $("keep").click(); } });

// `last` is what was played otherwise by these rules, and is offered again.
async function choose(name, last = name === state.rules ? state.options || {} : {}) {
  rules = name;
  const set = sets.find((each) => each.name === name);
  $("rules-chosen").replaceChildren(el("strong", {}, name), ` – ${set.known_by}`);
  if (shown !== name) {
    // What is ticked in another set's would be lost when this one's are here.
    shown = "";
    $("switches").replaceChildren();
    showSwitched();
    picked = {};
    $("options").replaceChildren();
  }
  const page = await get(`/api/rules/${encodeURIComponent(name)}`);
  // Asked for twice, it is shown once: somebody may have ticked something in it.
  if (rules !== name || shown === name) return;
  shown = name;
  picked = Object.fromEntries(Object.entries(last).filter(([name]) => !OF_THE_BOARD.includes(name) && !page.switches.some((one) => one.name === name)));
  $("switches").replaceChildren(...page.switches.map((one) => el("label", {}, el("input", { type: "checkbox", name: one.name, checked: last[one.name] === true, disabled: Boolean(one.why_not) || !one.changes.length }),
    el("span", {}, el("strong", {}, `Variation ${one.letter}`), one.why_not ? el("small", {}, "Does not go with these rules.") : one.changes.length ? el("small", {}, one.changes.slice(0, 2).join(" ") + (one.changes.length > 2 ? " …" : "")) : el("small", {}, "These rules have it already.")))));
  showSwitched();
  const sections = Map.groupBy ? Map.groupBy(page.lines, (line) => line.section) : page.lines.reduce((all, line) => all.set(line.section, [...(all.get(line.section) || []), line]), new Map());
  $("lines").replaceChildren(...[...sections].flatMap(([section, lines]) => [el("h2", {}, section), el("ul", {}, lines.map((line) => el("li", {}, line.text)))]));
  showChanged();
}

// What is played otherwise than the set has it: the variations that are ticked, and the rules that were chosen.
function changed() {
  const options = { ...picked };
  for (const box of $("switches").querySelectorAll("input:checked")) options[box.name] = true;
  return options;
}

// What is changed, in words, each rule with the way back; and what can go wrong with the rules as they are chosen now.
let timesAsked = 0;
async function showChanged() {
  const mine = (timesAsked += 1), asked = new URLSearchParams(Object.entries(changed()).map(([name, value]) => ["with", `${name}=${value}`])).toString();
  const here = `/api/rules/${encodeURIComponent(rules)}`, isAsked = (part) => $(part).open;
  const notTogether = () => ({ changes: Object.keys(picked).map((option) => ({ option, text: "This does not go with the other rules." })), warnings: ["what is chosen does not go together. Set something back."] });
  const also = (part, what) => (isAsked(part) ? get(`${here}/${what}?${asked}`).catch(() => null) : null);
  const [{ changes, warnings }, sections, card] = await Promise.all([get(`${here}/changed?${asked}`).catch(notTogether), also("rules-part", "choices"), also("card-part", "card")]);
  // Of two answers that overtake each other the one asked for last counts.
  if (mine !== timesAsked) return;
  const held = document.activeElement?.closest("#changed");
  $("changed").replaceChildren(...changes.map(({ option, text }) => el("li", {}, text, option ? el("button", { type: "button", class: "quiet", "aria-label": `Set back: ${text}`, onclick: () => pick(option) }, "Set back") : null)));
  $("changed").hidden = !changes.length;
  if (held) ($("changed").querySelector("button") || $("rules-part").firstElementChild).focus();
  $("warned").textContent = warnings.map((warning) => `Mind: ${warning}`).join(" ");
  $("warned").hidden = !warnings.length;
  if (sections) showRules(sections, pick);
  if (card) showCard(rules, card);
}
for (const part of ["rules-part", "card-part"]) $(part).addEventListener("toggle", () => { if ($(part).open && shown) showChanged(); });

// A rule is chosen, or set back as the set has it.
function pick(option, value) {
  if (value === undefined) delete picked[option]; else picked[option] = value;
  showChanged();
}

function showSwitched() {
  const on = [...$("switches").querySelectorAll("input:checked")].map((box) => box.name.at(-1).toUpperCase());
  $("switched").textContent = on.length ? `Variation${on.length > 1 ? "s" : ""} ${on.join(", ")}` : "None";
}
$("switches").addEventListener("change", () => { showSwitched(); showChanged(); });

function showSeats() {
  const known = Object.fromEntries([...$("seats").querySelectorAll("input")].map((input) => [input.dataset.colour, input.value]));
  $("seats").replaceChildren(...seats.map((colour, seat) => el("div", { class: "seat" },
    chip(colour),
    // A camera has learned who sits where: that is chosen where there is none, or where it is shown the table anew.
    isSeen() && !IS_SETTING_UP ? el("span", {}, capital(colour)) : el("select", { "aria-label": `Seat ${seat + 1}, clockwise`, onchange: (event) => reseat(seat, event.target.value) }, COLOURS.map((each) => el("option", { value: each, selected: each === colour }, capital(each)))),
    el("input", { type: "text", maxlength: 40, placeholder: "name", "aria-label": `Name of who plays ${colour}`, "data-colour": colour, value: known[colour] || state.names?.[colour] || "", autocomplete: "off" }))));
  const chosen = $("to-play").value;
  $("to-play").replaceChildren(el("option", { value: "" }, "throw for it"), ...seats.map((colour) => el("option", { value: colour, selected: colour === chosen }, capital(colour))));
}

// Clockwise, from the seat that the table begins with: the board is the same from wherever one begins.
export function chosenSeats() {
  const first = seats.indexOf(state.seats?.[0]);
  return first > 0 ? [...seats.slice(first), ...seats.slice(0, first)] : seats;
}
const isSeen = () => (state.devices || []).some((device) => device.name === "camera" && device.state !== "none");
function reseat(seat, colour) {
  const other = seats.indexOf(colour);
  if (other >= 0) seats[other] = seats[seat];
  seats[seat] = colour;
  showSeats();
  $("seats").dispatchEvent(new Event("seated"));
}

// Without a camera any board will do.
function showBoard() {
  const arms = seats.length, length = Number($("arm-length").value);
  $("board-of").hidden = isSeen();
  document.querySelector(`[name=arms][value="${arms}"]`).checked = true;
  $("board-words").textContent = `${length} squares an arm, the doorstep ${$("doorstep").value === "arm_end" ? "at its end" : "its second"}`;
  $("players").hidden = arms !== 4;
}
function chooseArms(arms) {
  seats = arms > seats.length ? [...seats, ...COLOURS.filter((colour) => !seats.includes(colour))].slice(0, arms) : seats.slice(0, arms);
  showSeats();
  showBoard();
}
for (const arms of document.querySelectorAll("[name=arms]")) arms.addEventListener("change", () => chooseArms(Number(arms.value)));
$("board-of").addEventListener("input", showBoard);

const TROUBLES = { too_dark: "It is too dark to read the board.", colours_indistinct: "The colours cannot be told in this light.", board_not_found: "The board is not where it was: show it the table anew.", occluded: "Something reaches over the board.", blurred: "The picture is blurred: shaken, or out of focus." };
// What keeps the camera from reading the board, in words.
export const troublesOf = (seen) => (seen?.trouble || []).map((one) => TROUBLES[one]).filter(Boolean).join(" ");

// A match begins with all pieces in their bases: so those are counted, and what is missing there is named.
function showCount(seen) {
  const trouble = troublesOf(seen);
  if (!seen || trouble) {
    $("counted").textContent = "The pieces are not counted";
    $("counted-words").textContent = trouble || "No camera sees the board.";
    return;
  }
  const away = Object.entries(seen.pieces).map(([colour, steps]) => [colour, 4 - steps.filter((each) => each === 0).length]).filter(([, number]) => number > 0);
  const missing = away.reduce((all, [, number]) => all + number, 0), strange = seen.strange_in;
  const odd = seen.stray.some((one) => !one.colour);
  const other = strange ? `One piece in ${strange}’s base has a colour that I don’t know. What colour does it count as?` : odd ? "There is a thing of a colour that nobody plays." : "";
  $("counted").textContent = `${seen.of - missing} of ${seen.of}`;
  $("counted-words").textContent = [!missing ? "All pieces are in their bases." : strange && missing === 1 ? "" : `Not in their bases: ${away.map(([colour, number]) => `${number} of ${colour}`).join(", ")}.`, other].filter(Boolean).join(" ");
}

watch((now, news) => {
  state = now;
  if (news.has("state") && !IS_SETTING_UP) {
    $("start").disabled = state.state === "playing";
    document.querySelector(".is-on").hidden = !$("start").disabled;
  }
  if (news.has("seen")) {
    const { seen } = state;
    $("pieces").hidden = !isSeen();
    showCount(seen);
    const strange = seen?.strange_in;
    if ($("counts-as").dataset.base !== (strange || "")) {
      $("counts-as").dataset.base = strange || "";
      $("counts-as").hidden = !strange;
      $("counts-as").replaceChildren(...colourButtons(strange ? state.seats : [], (colour) => ask({ do: "learn_paint", base: strange, colour })));
    }
  }
  if (!wasOffered && state.seats) {
    // Last time's are offered.
    wasOffered = true;
    seats = [...state.seats];
    const { arm_length = 6, doorstep_position = "one_in" } = state.options || {};
    $("arm-length").value = arm_length;
    $("doorstep").value = doorstep_position;
    if (state.loudness) document.querySelector(`[name=loudness][value=${state.loudness}]`).checked = true;
    for (const box of document.querySelectorAll("[name=players]")) box.checked = Number(box.value) === (seats.length === 4 ? state.players : 4);
    showSeats();
    showBoard();
    offered();
  }
});

// The rules of last time are offered too, with what was played otherwise.
need(async () => {
  sets = await get("/api/rules");
  await lastTime;
  rules = (sets.find((set) => set.name === state.rules && !set.trouble) || sets.find((set) => !set.trouble)).name;
  showSets();
  await choose(rules);
}).catch((error) => { $("rules-chosen").textContent = error.message; });
showSeats();

$("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData($("form"));
  const options = changed();
  if (!$("board-of").hidden) {
    if (Number($("arm-length").value) !== 6) options.arm_length = Number($("arm-length").value);
    if ($("doorstep").value !== "one_in") options.doorstep_position = $("doorstep").value;
  }
  const names = Object.fromEntries([...$("seats").querySelectorAll("input")].filter((input) => input.value.trim()).map((input) => [input.dataset.colour, input.value.trim()]));
  const isStarted = await ask({ do: "start", rules, options, players: seats.length === 4 ? Number(form.get("players")) : seats.length, seats: chosenSeats(), names, loudness: form.get("loudness"), to_play: $("to-play").value || null });
  if (isStarted) location.assign("/");
});
$("rules-words").addEventListener("click", () => { $("in-words").open = true; });
