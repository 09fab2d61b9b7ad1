// The match for a television: read from four metres, touched by nobody.

import { $, capital, chip, die, el, get, watch, words } from "./common.js";
import { BoardView, movedBetween, planOf } from "./board.js";

const AWAITED = { throw: "to throw", throw_off: "to throw for start", play: "to play" };
// What may send a piece back to base, or take that back.
const UCKS = new Set(["legal", "stood", "won", "challenge_won", "suckback_won", "blowback_won", "taken_back", "put_back"]);
const LONG = 90, LONG_NAME = 18, MANY = 6, AWAKE_MS = 6_000;
let state = {}, view = null, planned = "", before = null, moved = [], heard = "", isAsking = false, isAgain = false;

watch((now, news) => {
  state = now;
  if (news.has("plan")) draw(state.plan);
  if (news.has("position")) {
    const changed = before && state.position ? movedBetween(before, state.position, state.seats) : [];
    // A new match is no move.
    if (changed.length) moved = changed.length > 8 ? [] : changed;
    before = state.position;
  }
  const ruled = (state.rulings || []).findLast((each) => UCKS.has(each.ruling));
  const at = JSON.stringify([state.match, state.state, ruled?.number]);
  if (at !== heard) { heard = at; askEvening(); }
  show();
});

async function draw(address) {
  const plan = await planOf(address);
  // Another board may have been put up meanwhile.
  if (address !== state.plan) return;
  view = new BoardView($("board"), plan, state.seats);
  view.turn = Number(localStorage.getItem("turn") || 0);
  planned = address;
  show();
}

const isOver = () => state.state === "over" || state.awaiting === "over";
const isOn = () => state.state === "playing" && !isOver();
const nameIsLong = (name) => name.length > LONG_NAME;
const nameOf = (colour) => state.names?.[colour] || capital(colour);

function show() {
  const colour = isOn() ? state.to_play : null, won = (isOver() && state.winner) || [];
  $("turn-part").style.setProperty("--who", colour ? `var(--${colour}, ${colour})` : "var(--line)");
  $("who").textContent = colour ? nameOf(colour) : won.length ? `${won.map(nameOf).join(" and ")} won` : isOver() ? "No result" : "No match is on";
  $("who").classList.toggle("long", nameIsLong($("who").textContent));
  $("what").textContent = colour ? [state.names?.[colour] && capital(colour), AWAITED[state.awaiting], state.owed && `· ${state.owed}`].filter(Boolean).join(" ") : isOver() ? state.honours.map(words).map(capital).join(", ") : "";
  const thrown = colour ? state.throw || [] : [];
  if ($("dice").dataset.shown !== thrown.join()) {
    $("dice").dataset.shown = thrown.join();
    $("dice").replaceChildren(...thrown.map(die));
  }
  const isThere = Boolean(view && state.position && planned === state.plan);
  $("board-part").hidden = !isThere;
  $("main").classList.toggle("bare", !isThere);
  if (isThere) view.show(state.position, { toPlay: colour, moved });
  $("people").replaceChildren(...(state.position && view ? state.seats.map((each) => person(each, colour, won)) : []));
}

function person(colour, toPlay, won) {
  const steps = state.position[colour], home = steps.filter((step) => step === view.plan.home).length, base = steps.filter((step) => step === 0).length;
  const sign = colour === toPlay ? "▶" : won.includes(colour) ? "★" : "";
  return el("li", { class: sign ? "marked" : null }, el("span", { class: "sign" }, sign), chip(colour),
    el("bdi", { class: nameIsLong(nameOf(colour)) ? "long" : null }, nameOf(colour)), el("span", { class: "meta" }, `${view.plan.letters[colour]} · ${base} in base · ${home} home`));
}

// The evening's score, and the last ucking, are in the record. What comes meanwhile is asked for after that.
async function askEvening() {
  if (isAsking) { isAgain = true; return; }
  isAsking = true;
  try { showEvening(await get("/api/evening")); } catch { /* The line on top says that the table does not answer. */ }
  isAsking = false;
  if (isAgain) { isAgain = false; askEvening(); }
}

function showEvening({ ucking, since, score }) {
  $("ucking-part").hidden = !ucking;
  $("ucking").textContent = ucking;
  $("ucking").classList.toggle("long", ucking.length > LONG);
  $("score-part").hidden = !score.length;
  $("since").textContent = since ? `Won since ${new Date(since).toLocaleString([], { weekday: "long", hour: "2-digit", minute: "2-digit", hour12: false })}` : "Won";
  // Where many have played, those who have won.
  const told = score.length > MANY ? score.filter(([, won]) => won) : score;
  $("score").classList.toggle("long", told.length > MANY || told.some(([who]) => nameIsLong(who)));
  $("score").replaceChildren(...told.map(([who, won]) => el("li", {}, el("bdi", {}, who), " ", el("strong", {}, String(won)))));
}

// The bar on top, and the button, are there while somebody touches the screen, a mouse or a key.
let resting = 0;
function wake() {
  document.documentElement.toggleAttribute("data-awake", true);
  clearTimeout(resting);
  resting = setTimeout(() => document.documentElement.toggleAttribute("data-awake", Boolean(document.querySelector(".menu[open]"))), AWAKE_MS);
}
for (const touch of ["pointermove", "pointerdown", "keydown"]) addEventListener(touch, wake);
$("whole").hidden = !document.documentElement.requestFullscreen;
$("whole").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {}));
