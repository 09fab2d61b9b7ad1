// The match as it is played: whose turn, the board, what is asked, what can be done, what was ruled.

import { $, ask, capital, choose, die, el, get, lineIsLost, livePicture, moment, sure, tell, watch, words } from "./common.js";
import { BoardView, inWords, movedBetween, planOf, playWords } from "./board.js";
import { isDisputed, rulingLine } from "./rulings.js";
import { askWhatToTakeBack, askedToTakeBack, putBackButtons } from "./takeback.js";
import { showCard } from "./card.js";
import "./aloud.js";

// Rulings that nobody wants to read once their moment is over: a call that was refused, and questions.
const PASSING = new Set(["call_refused", "check", "upboard_asked", "which_call", "challenge_meant", "out_of_step", "put_this_right"]);
const AWAITED = { throw: "to throw", throw_off: "to throw for start", play: "to play" };
const TROUBLES = { too_dark: "Too dark to read.", colours_indistinct: "Colours cannot be told in this light.", board_not_found: "The board is not where it was.", board_moved: "The board has moved; followed.", occluded: "Something reaches over the board.", blurred: "Blurred: shaken, or out of focus." };

let state = {}, plan = null, planned = "", view = null, before = null, moved = [];
let mode = null; // {kind: "play", chosen: [move], picked} or {kind: "correct", position, picked}
// How often the board is turned from how the table has it, also before it is drawn.
let turned = Number(localStorage.getItem("turn") || 0);
const showPicture = livePicture($("camera"), "marked");

watch((now, news) => {
  state = now;
  if (news.has("plan")) {
    mode = null;
    draw(state.plan);
  }
  if (news.has("position")) {
    const changed = before && state.position ? movedBetween(before, state.position, state.seats) : [];
    // A new match is no move.
    if (changed.length) moved = changed.length > 8 ? [] : changed;
    before = state.position;
    if (mode?.kind === "play") mode = null;
  }
  if (news.has("plays") && mode?.kind === "play") mode = null;
  if (news.has("match") || news.has("rulings")) showRulings();
  show();
});

async function draw(address) {
  const fetched = await planOf(address);
  // Another board may have been put up meanwhile.
  if (address !== state.plan) return;
  plan = fetched;
  planned = address;
  view = new BoardView($("board"), plan, state.seats, { picked, placed });
  view.turn = turned;
  show();
  // Somebody may have begun before there was a board to point at.
  if (mode) goOn();
}

function show() {
  const isPlaying = state.state === "playing";
  const held = $("main").querySelector(":focus");
  for (const id of ["turn", "low", "more-part"]) $(id).hidden = !isPlaying;
  // The last board of a match that is over is looked at; one that was left is in the record.
  for (const id of ["board-part", "under"]) $(id).hidden = state.state === "idle";
  $("rulings-part").hidden = state.state === "idle" || !state.position;
  $("idle").hidden = isPlaying;
  // What waits for somebody stands where the words stand.
  const words = $(isPlaying ? "message" : "idle-top");
  if ($("reminders").parentNode !== words) words.append($("reminders"));
  showTurn();
  showAsked();
  showPlaces();
  showBoard();
  showCamera();
  if (isPlaying) showMore(); else showIdle();
  showAccused();
  // What is hidden, or gone, keeps no keyboard.
  if (held && (document.activeElement === document.body || held.closest("[hidden]"))) $("main").focus();
}

// ---------------------------------------------------------------- no match is on: before one, left, or over

function showIdle() {
  const { match, winner = [], honours = [], names = {} } = state;
  const isOver = state.state === "over";
  write("idle-title", isOver ? result() : "No match is being played");
  const who = winner.map((colour) => names[colour]).filter(Boolean).join(" and ");
  const ended = [who, ...honours.map(words).map(capital)].filter(Boolean).join(" · ");
  write("idle-what", isOver ? ended : match ? `Match ${match} was left. It has no result.` : "");
  write("idle-words", state.screen?.length ? `The display: ${state.screen.join(" · ")}` : "");
  showCard($("card"), state.card);
  // A table that its camera was never shown leads there first.
  const isNew = (state.devices || []).some((device) => device.state === "not calibrated");
  $("onward").href = isNew ? "/setup" : "/new";
  write("onward", isNew ? "Set up the table" : "Start a match");
  if (match) leadToLast(match); else findLast();
}

const result = () => (state.winner.length ? capital(`${state.winner.join(" and ")} won`) : "No result");

function leadToLast(match) {
  $("last-match").href = `/matches/${match}`;
  $("last-match").hidden = !match;
}

// A table that was started since its last match has it in its record alone.
let isSought = false;
async function findLast() {
  if (isSought) return;
  isSought = true;
  const matches = await get("/api/matches").catch(() => []);
  const last = matches.find((each) => !each.cannot_be_read);
  if (last && !state.match) leadToLast(last.number);
}

function showTurn() {
  const colour = state.to_play;
  const isOver = state.state === "over" || state.awaiting === "over";
  $("turn").style.setProperty("--who", colour && !isOver ? `var(--${colour}, ${colour})` : "var(--line)");
  const name = state.names?.[colour];
  $("turn-who").textContent = isOver ? result() : colour ? capital(colour) : "";
  $("turn").classList.toggle("over", isOver);
  $("turn-what").textContent = isOver ? state.honours.map(words).map(capital).join(", ") : [name, AWAITED[state.awaiting]].filter(Boolean).join(" ");
  $("turn-owed").textContent = isOver ? "" : mustChallenge() ? "must challenge" : state.owed;
  const thrown = state.throw || [];
  if ($("turn-dice").dataset.shown !== thrown.join()) {
    $("turn-dice").dataset.shown = thrown.join();
    $("turn-dice").replaceChildren(...(isOver ? [] : thrown.map(die)));
  }
}

// Written only when it is other than it was: somebody may be reading it out.
function write(id, text) { if ($(id).textContent !== text) $(id).textContent = text; }
function button(label, pressed, { first = false, danger = false } = {}) {
  return el("button", { type: "button", class: first ? "first" : danger ? "danger" : null, onclick: pressed }, label);
}
const press = (name) => ask({ do: "press", button: name });

// Replaces buttons only when they are others: a finger, or the keyboard, may be on one.
function refill(parent, key, make) {
  if (parent.dataset.key === key) return;
  parent.dataset.key = key;
  const held = [...parent.children].indexOf(document.activeElement);
  parent.replaceChildren(...make());
  if (held >= 0) (parent.children[Math.min(held, parent.children.length - 1)] || $("main")).focus();
}

function showAsked() {
  const { choices = [], is_asking, is_out_of_step, question, ways_out = [] } = state;
  const back = askedToTakeBack(state);
  const isAny = state.state === "playing" && (choices.length || is_asking || is_out_of_step || question || back);
  $("asked").hidden = !isAny;
  // What was ruled last is what is asked about.
  $("said").hidden = $("put-back").hidden = Boolean(isAny);
  refill($("put-back"), String(state.put_back), () => putBackButtons(state));
  if (!isAny) return;
  const title = back ? "Take back?" : is_out_of_step ? "Out of step" : choices.length ? question || "Which one?" : is_asking ? "Is it right?" : "Put it right";
  const words = back ? back.words : [question === title ? "" : question, ...(is_out_of_step ? ways_out : [])].filter(Boolean).join(" ");
  if ($("asked-title").textContent !== title) $("asked-title").textContent = title;
  if ($("asked-words").textContent !== words) $("asked-words").textContent = words;
  // Only numbers are answered here: what is right, is to be taken back or put right otherwise has a place of its own.
  const why = back || choices.length ? "" : whyAddress();
  refill($("asked-answers"), JSON.stringify([title, choices, words, state.asks_back, why]), () => back ? back.buttons() : why ? [el("a", { class: "button", href: why }, "See why")] : choices.map((choice) => button(`${choice.number}: ${choice.words}`, () => press(String(choice.number)), { first: true })));
}

// Why somebody is accused is told with its pictures on a page of its own.
function whyAddress() {
  const accusation = (state.rulings || []).filter((ruling) => isDisputed(ruling) && ruling.say === state.question).at(-1);
  return accusation && state.match ? `/matches/${state.match}/${accusation.number}` : "";
}

function isWell(name) { return (state.devices || []).some((device) => device.name === name && device.is_well && device.state !== "none"); }

// ---------------------------------------------------------------- buttons, each in its place

const CALLS = ["suckback", "blowback", "snake_eyes", "stand_up_finish", "colours", "decline"];
const callsOf = (...kinds) => (state.calls || []).filter((call) => kinds.includes(call.call));
const isLit = (name) => (state.lit || []).includes(name);
const isAsked = () => Boolean(state.is_asking || state.is_out_of_step);
const needsDice = () => ["throw", "throw_off"].includes(state.awaiting) && (state.dice_from === "buttons" || !isWell(state.dice_from === "camera" ? "camera" : "tower"));
const mustChallenge = () => callsOf("challenge").some((call) => call.is_forced);
const hasPlays = () => (state.plays || []).length > 0;

// A call that needs no more words is made at once; of others, one is chosen.
async function call(...kinds) {
  const open = callsOf(...kinds), of = moment();
  const isPlain = open.length === 1 && open[0].words === words(open[0].call);
  const made = isPlain ? open[0] : await choose("Which call?", open.map((each) => [capital(each.words), each]), { no: "Leave it" });
  if (!made) return;
  const { words: _, is_forced: __, ...asked } = made;
  ask({ do: "call", ...asked }, { of });
}

// Each button: what it is for, whether that means something now and what to say where it does not; whether people
// wait for it; what it does. Where it stands never changes: a finger finds it without a look.
const PLACES = [
  { id: "throw", label: "Enter the throw", may: () => state.awaiting !== "over", why: "The match is over.", first: needsDice, act: enterThrow },
  { id: "play", label: "Enter the play", may: hasPlays, why: "No play is due now.", first: () => hasPlays() && !isWell("camera"), act: () => enter("play") },
  { id: "done", label: "Done", may: () => isLit("done"), why: "Nothing waits for “done” now.", act: () => press("done") },
  { id: "challenge", label: "Challenge", may: () => callsOf("challenge").length > 0, why: "There is nothing to challenge now.", first: mustChallenge, act: () => call("challenge") },
  { id: "calls", label: "Other call", named: () => { const kinds = new Set(callsOf(...CALLS).map((each) => each.call)); return kinds.size === 1 ? capital(words([...kinds][0])) : ""; }, may: () => callsOf(...CALLS).length > 0, why: "There is nothing to call now.", act: () => call(...CALLS) },
  { id: "timber", label: "Timber shift!", may: () => isLit("timber_shifting"), why: "Timber shifting cannot be called now.", act: () => press("timber_shifting") },
  { id: "accept", label: "Right as it stands", named: () => (state.is_out_of_step ? "Done: it is right" : ""), may: () => isAsked() || isLit("accept"), why: "The referee asks nothing now.", first: isAsked, act: () => press("accept") },
  { id: "undo", label: "Take back", may: () => (state.take_back || []).length > 0, why: "There is nothing to take back.", act: () => askWhatToTakeBack(state) },
  { id: "correct", label: "Correct the board", may: () => Boolean(state.position), why: "There are no pieces to correct.", act: () => enter("correct") },
];

for (const place of PLACES) {
  place.button = el("button", { type: "button", id: `place-${place.id}`, onclick: () => {
    const why = whyNot(place);
    if (why) tell(why); else place.act();
  } }, place.label);
  $("places").append(place.button);
}

function whyNot(place) {
  if (lineIsLost()) return "No line to the table: nothing can be done from here.";
  if (state.state !== "playing") return "No match is being played.";
  return place.may() ? "" : place.why;
}

// A wrong board, calls to choose from and pieces that are pointed at leave most buttons without a meaning. Words take
// their place, row by row: the last one answers for a wrong board, and one that people wait for stays.
const ROWS = [PLACES.slice(0, 3), PLACES.slice(3, 6), PLACES.slice(6)];
const isBoardWrong = () => Boolean(state.is_out_of_step || (state.question && !state.is_asking));
function rowsShown() {
  if (mode) return [];
  if (!isBoardWrong() && !(state.choices || []).length) return ROWS;
  return ROWS.filter((row) => row === ROWS[2] || row.some((place) => place.first?.() && !whyNot(place)));
}

function showPlaces() {
  const shown = rowsShown();
  for (const row of ROWS) for (const place of row) place.button.hidden = !shown.includes(row);
  $("places").hidden = !shown.length;
  for (const place of PLACES) {
    const isOff = Boolean(whyNot(place));
    if (place.button.getAttribute("aria-disabled") !== String(isOff)) place.button.setAttribute("aria-disabled", String(isOff));
    place.button.classList.toggle("first", !isOff && Boolean(place.first?.()));
    const label = place.named?.() || place.label;
    if (place.button.textContent !== label) place.button.textContent = label;
  }
}

function showMore() {
  const parts = [`Match ${state.match}`, state.rules, ...(state.differs || [])].filter(Boolean);
  $("match-words").textContent = parts.join(" · ");
  if (document.activeElement !== $("loudness")) $("loudness").value = state.loudness;
}
$("more").append(
  button("Trust the board as it stands", () => press("trust_board")),
  button("Upboard!", upboard, { danger: true }),
  button("Leave the match", leaveMatch, { danger: true }),
);
$("loudness").addEventListener("change", (event) => ask({ do: "loudness", level: event.target.value }));

// Another match may have begun while somebody was asked: the answer was not about that one.
async function upboard() {
  const { match } = state;
  const who = state.seats.map((colour) => [[capital(colour), state.names?.[colour]].filter(Boolean).join(": "), colour, "danger"]);
  const colour = await choose("Who tipped the board up?", who, { no: "Nobody: play on", words: "The match ends. Whoever did it has lost." });
  if (colour && state.match === match) ask({ do: "call", call: "upboard", piece: { colour } });
}
async function leaveMatch() {
  const { match } = state;
  if (await sure("Leave this match?", { yes: "Leave it", no: "Play on", words: "It ends without a result, and stays in the record." }) && state.match === match) ask({ do: "leave" });
}

function showCamera() {
  const { seen, frame } = state;
  $("camera-part").hidden = !seen && !isWell("camera");
  if (seen) {
    const stray = seen.stray.map((one) => (one.colour ? `a ${one.colour} piece where ${one.colour} never goes` : "a thing that is no piece"));
    const dice = seen.dice.map((one) => (one.state === "flat" ? one.value ?? "a die not made out" : words(one.state)));
    $("camera-words").textContent = [`${seen.found} of ${seen.of} pieces seen.`, seen.hand ? "A hand is over the board." : "", stray.length ? `Also ${stray.join(", ")}.` : "", dice.length ? `Dice: ${dice.join(" and ")}.` : "", ...seen.trouble.map((one) => TROUBLES[one] || words(one)), seen.confidence < 0.9 ? "It is not sure." : ""].filter(Boolean).join(" ");
  }
  if (!$("camera-part").hidden && $("camera-open").open) showPicture(frame);
}
$("camera-open").addEventListener("toggle", showCamera);

function showRulings() {
  const list = $("rulings"), rulings = state.rulings || [];
  if (list.dataset.match !== String(state.match)) { list.replaceChildren(); list.dataset.match = String(state.match); }
  const known = new Map([...list.children].map((item) => [item.dataset.number, item]));
  for (const ruling of rulings) {
    const number = String(ruling.number), old = known.get(number);
    const key = JSON.stringify(ruling);
    if (old?.dataset.key === key) continue;
    const item = rulingLine(ruling, state.match);
    item.dataset.key = key;
    if (old) old.replaceWith(item); else list.prepend(item);
  }
  while (list.children.length > 60) list.lastChild.remove();
  // Whoever pressed is told why it was refused, and what is asked has a place of its own while it is.
  write("said", rulings.filter((ruling) => !PASSING.has(ruling.ruling)).at(-1)?.say || "");
}

// ---------------------------------------------------------------- the board, and pointing into it

function showBoard() {
  if (!view || planned !== state.plan) return;
  // Before a match, all pieces wait in their bases.
  const position = state.position || Object.fromEntries(state.seats.map((colour) => [colour, [0, 0, 0, 0]]));
  const shown = mode?.kind === "correct" ? mode.position : mode?.kind === "play" ? played(mode.chosen) : position;
  const toPlay = state.state === "playing" && state.awaiting !== "over" ? state.to_play : null;
  // Drawn only when it is another: a finger may be on it.
  const key = JSON.stringify([shown, toPlay, mode, moved, view.turn, planned, state.names, mode?.kind === "play" ? state.plays : null]);
  if ($("board").dataset.key !== key) {
    $("board").dataset.key = key;
    view.show(shown, { toPlay, may, chosen: mode?.picked, targets: targets(), moved: mode ? [] : moved });
    $("board-words").replaceChildren(inWords(shown, state.seats, plan, state.names));
    showAccused();
  }
  showPlaces();
  if ($("entering").hidden !== !mode) { $("entering").hidden = !mode; $("message").scrollTop = 0; }
  if (!mode) return;
  write("mode", modeLine());
  refill($("mode-tools"), JSON.stringify(mode), modeTools);
}

function modeLine() {
  if (mode.kind === "correct") return mode.picked ? `Where does the ${mode.picked.colour} piece stand?` : "Tap a piece that stands elsewhere, then where it stands.";
  if (finished()) return `${capital(playWords(mode.chosen, plan))}. Is that the play?`;
  return mode.picked ? "Where does it go?" : "Tap the piece that is played.";
}

function modeTools() {
  const tools = [], others = [], done = mode.kind === "play" ? finished() : null;
  if (mode.kind === "correct") {
    // Whatever the match is at by then: the board stands as people say.
    if (movedBetween(state.position, mode.position, state.seats).length) tools.push(button("The board stands like this", async () => { if (await ask({ do: "correct", position: mode.position }, { of: "" })) leave("The board is taken as you say."); }, { first: true }));
    if (mode.picked) others.push(el("label", {}, "or choose: ", el("select", { onchange: (event) => placed(mode.picked.colour, Number(event.target.value)) }, el("option", { value: "" }, "…"), Object.entries(plan.words[mode.picked.colour]).sort(([a], [b]) => a - b).map(([steps, place]) => el("option", { value: steps }, place)))));
  } else {
    if (done) tools.push(button("Yes, play it", async () => { if (await ask({ do: "play", position: done.position })) leave(""); }, { first: true }));
    if (mode.chosen.length) tools.push(button("Begin again", () => { mode = { kind: "play", chosen: [], picked: null }; showBoard(); }));
    const open = done ? [] : candidates();
    if (open.length > 1 && open.length <= 8) others.push(el("details", {}, el("summary", {}, "or choose the whole play"), el("div", { class: "buttons" }, open.map((play) => button(capital(playWords(play.moves, plan)), () => { mode = { kind: "play", chosen: play.moves, picked: null }; showBoard(); })))));
  }
  return [...tools, button("Leave it", () => leave("")), ...others];
}

function enter(kind) {
  mode = kind === "correct" ? { kind, position: structuredClone(state.position), picked: null } : { kind, chosen: [], picked: null };
  showBoard();
  $("turn").scrollIntoView({ block: "start" });
  goOn();
}
function leave(line) {
  // The table may have shown what came of it before it answered.
  const kind = mode?.kind;
  mode = null;
  tell(line);
  showBoard();
  if (kind) $(`place-${kind}`).focus({ preventScroll: true });
}
// The keyboard goes on with what is to be pressed next: what was pressed is gone.
function goOn() {
  const next = $("mode-tools").querySelector(".first") || $("board").querySelector(".piece.may");
  next?.focus({ preventScroll: true });
}

const same = (a, b) => a.colour === b.colour && a.from === b.from && a.to === b.to;
// The moves of a play that are left when some have been chosen; null where those are none of it.
function rest(play, chosen) {
  const left = [...play.moves];
  for (const move of chosen) {
    const at = left.findIndex((each) => same(each, move));
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}
function candidates() { return (state.plays || []).filter((play) => rest(play, mode.chosen)); }
function nextMoves() { return candidates().flatMap((play) => rest(play, mode.chosen)); }
function finished() { return (state.plays || []).find((play) => rest(play, mode.chosen)?.length === 0) || null; }
function played(chosen) {
  const whole = finished();
  if (whole) return whole.position;
  const position = structuredClone(state.position);
  for (const { colour, from, to } of chosen) position[colour][position[colour].indexOf(from)] = to;
  return position;
}

function may(colour, steps) {
  if (!mode) return false;
  if (mode.kind === "correct") return true;
  return nextMoves().some((move) => move.colour === colour && move.from === steps);
}

function targets() {
  if (!mode?.picked) return [];
  const { colour, steps } = mode.picked;
  if (mode.kind === "play") return [...new Set(nextMoves().filter((move) => move.colour === colour && move.from === steps).map((move) => move.to))].map((to) => ({ colour, steps: to }));
  return Object.keys(plan.words[colour]).map(Number).filter((to) => to !== steps).sort((a, b) => a - b).map((to) => ({ colour, steps: to, faint: true }));
}

function picked(colour, steps) {
  const isSame = mode.picked?.colour === colour && mode.picked.steps === steps;
  mode.picked = isSame ? null : { colour, steps };
  showBoard();
}

function placed(colour, to) {
  if (!mode?.picked || Number.isNaN(to)) return;
  const { steps } = mode.picked;
  if (mode.kind === "correct") {
    const pieces = mode.position[colour];
    pieces[pieces.indexOf(steps)] = to;
    pieces.sort((a, b) => a - b);
  } else mode.chosen = [...mode.chosen, { colour, from: steps, to }];
  mode.picked = null;
  showBoard();
  goOn();
}

$("turn-board").addEventListener("click", () => {
  turned += 1;
  localStorage.setItem("turn", String(turned));
  if (view) view.turn = turned;
  showBoard();
});

// Fetched once somebody is accused.
let accusing;
function showAccused() {
  if (state.accused) accusing ??= import("./accusing.js");
  accusing?.then(({ show }) => show(view, mode ? null : state.accused, state));
}

// ---------------------------------------------------------------- a throw, told by hand

function enterThrow() {
  const dialog = $("throw-dialog"), wanted = state.dice_wanted || 2, dice = Array(wanted).fill(0);
  $("throw-dice").replaceChildren(...dice.map((_, which) => el("div", { class: "faces", role: "radiogroup", "aria-label": wanted > 1 ? `Die ${which + 1}` : "The die" },
    [1, 2, 3, 4, 5, 6].map((value) => el("button", { type: "button", role: "radio", "aria-checked": "false", "aria-label": String(value), onclick: (event) => {
      dice[which] = value;
      for (const other of event.currentTarget.parentNode.children) { other.setAttribute("aria-checked", String(other === event.currentTarget)); other.classList.toggle("first", other === event.currentTarget); }
      $("throw-ok").disabled = dice.includes(0);
    } }, String(value))))));
  $("throw-ok").disabled = true;
  dialog.returnValue = "";
  dialog.onclose = () => {
    if (dialog.returnValue === "ok") ask({ do: "throw", dice });
    else if (dialog.returnValue) ask({ do: "fault", kind: dialog.returnValue });
  };
  dialog.showModal();
}
