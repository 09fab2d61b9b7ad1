// One ruling and what it rests on: the picture cut to it, before and after under one thumb, and those around it.

import { $, ask, capital, clock, die, el, get, need, tell, watch, words } from "./common.js";
import { BoardView, movedBetween, planOf } from "./board.js";
import { Pictures, decoded, drawn, drawnOnBoard, inSentences } from "./evidence.js";
import { askWhatToTakeBack } from "./takeback.js";

const [, , match, number] = location.pathname.split("/").map(Number);
const ALTS = { before: "The last board that was right", after: "The board that was judged", marked: "The board that was judged, the difference marked" };
// The least height of a number on a picture: what is read at arm's length.
const LEAST_PX = 13;
const VIEWS = { close: "Close up", whole: "Whole picture", frames: "Step through" };

const howLikely = (odds) => odds < 1.5 ? "as likely" : `${(odds < 10 ? Math.round(odds * 10) / 10 : Math.round(odds)).toLocaleString("en-GB")} times less likely`;

async function open() {
  const { summary, plan: address, ruling, before, taken, accused, rule } = await get(`/api/matches/${match}/${number}`);
  $("title").textContent = document.title = `Match ${match}, ruling ${number}`;
  $("say").textContent = ruling.say || words(ruling.ruling);
  $("to-match").href = `/matches/${match}`;
  const plan = await planOf(address), turn = Number(localStorage.getItem("turn") || 0);
  const draw = (root, position, moved) => { const view = new BoardView(root, plan, summary.seats); view.turn = turn; view.show(position, { moved }); return view; };
  const moved = movedBetween(before, ruling.position, summary.seats);
  // What was called wrong is not on record: then there is one board to show.
  $("before-part").hidden = !moved.length;
  if (moved.length) draw($("board-before"), before, []);
  else $("after-words").textContent = "On record";
  draw($("board-after"), ruling.position, moved);
  $("stood-part").hidden = !(ruling.is_disputed && accused.stood);
  if (!$("stood-part").hidden) drawnOnBoard(draw($("board-stood"), accused.stood, []), accused);
  showDice(ruling);
  $("rule-part").hidden = !rule;
  if (rule) {
    $("rule").replaceChildren(rule.text, " ", el("cite", {}, rule.source));
    $("rule-source").textContent = `On the card of ${rule.card}, under “${rule.section}”. ${rule.legend}`;
  }
  $("key").replaceChildren(...(ruling.is_disputed ? inSentences(accused, plan) : []).map((sentence) => el("li", {}, sentence)));

  const stories = ruling.stories ?? [];
  $("why").hidden = !stories.length;
  $("stories").replaceChildren(...stories.map((story, n) => el("li", {},
    el("strong", {}, story.guilty ? "Somebody did wrong" : "Nobody did wrong"), ` (${n ? howLikely(story.odds) : "the likeliest"}). ${story.say}`)));

  await showPictures({ ruling, taken, accused });
  answers();
}

function showDice({ throw: thrown, is_disputed: isDisputed }) {
  $("thrown").hidden = !(isDisputed && thrown.length);
  $("dice").replaceChildren(...thrown.map(die));
}

async function showPictures({ ruling, taken, accused }) {
  const frames = await get(`/api/matches/${match}/${number}/frames`).catch(() => []);
  const kinds = ruling.evidence, pictures = new Pictures(match, number);
  const wholes = { before: "before", after: kinds.includes("marked") ? "marked" : "after" };
  const views = [...(kinds.includes("after") ? ["close"] : []), ...(kinds.length ? ["whole"] : []), ...(frames.length ? ["frames"] : [])];
  let view = "", what = "after", showing = 0;

  // What is shown last is what was asked for last, whichever comes first.
  const show = async (found, alt, time) => {
    const mine = showing += 1;
    try {
      const { image, on = null, address } = await found;
      if (mine !== showing) return;
      $("picture").src = image.src;
      $("picture").alt = alt;
      $("picture").hidden = false;
      $("larger").href = address;
      $("close-up").style.setProperty("--aspect", image.naturalWidth / image.naturalHeight);
      $("counted").setAttribute("viewBox", `0 0 ${image.naturalWidth} ${image.naturalHeight}`);
      $("counted").replaceChildren(...(on ? drawn(on, accused, LEAST_PX * image.naturalWidth / ($("close-up").clientWidth || 1)) : []));
      $("time").textContent = time;
    } catch (error) {
      if (mine !== showing) return;
      $("picture").hidden = true;
      $("counted").replaceChildren();
      $("time").textContent = capital(error.message).replace(/\.?$/, ".");
    }
  };
  const whole = async (address) => ({ image: await decoded(address), address });
  const showKind = () => {
    const kind = view === "close" ? what : wholes[what];
    const time = `${what === "before" ? "Before" : "After"}, at ${clock(taken[what] ?? ruling.t)}`;
    show(view === "close" ? pictures.get(what) : whole(`/api/matches/${match}/${number}/${kind}.jpg`), ALTS[kind], time);
    $("flip").textContent = what === "before" ? "Show the board after" : "Show the board before";
  };
  const frame = (which) => {
    $("at").value = String(which);
    const ago = frames[which] - ruling.t;
    const when = `${Math.abs(ago).toFixed(1)} seconds ${ago < 0 ? "before" : "after"} the ruling`;
    $("at").setAttribute("aria-valuetext", when);
    show(whole(`/api/matches/${match}/${number}/frames/${which}`), `The table ${when}`, `${which + 1} of ${frames.length}: ${when}`);
  };
  const flip = () => { if (!$("flip").hidden) { what = what === "before" ? "after" : "before"; showKind(); } };
  const choose = (chosen) => {
    view = chosen;
    for (const button of $("views").children) {
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
      button.classList.toggle("first", button.dataset.view === view);
    }
    $("stepping").hidden = view !== "frames";
    $("flip").hidden = view === "frames" || !kinds.includes("before") || !kinds.includes("after");
    $("looked-into").classList.toggle("is-whole", view !== "close");
    $("close-up").classList.toggle("whole", view !== "close");
    if (view === "frames") frame(Number($("at").value)); else showKind();
  };
  $("views").replaceChildren(...views.map((each) => el("button", { type: "button", "data-view": each, onclick: () => choose(each) }, VIEWS[each])));
  $("at").max = String(Math.max(0, frames.length - 1));
  const nearest = frames.findIndex((t) => t >= ruling.t);
  $("at").value = String(nearest < 0 ? Math.max(0, frames.length - 1) : nearest);
  $("at").addEventListener("input", () => frame(Number($("at").value)));
  $("back").addEventListener("click", () => frame(Math.max(0, Number($("at").value) - 1)));
  $("on").addEventListener("click", () => frame(Math.min(frames.length - 1, Number($("at").value) + 1)));
  $("flip").addEventListener("click", flip);
  $("close-up").addEventListener("click", flip);
  for (const part of ["close-up", "larger-words"]) $(part).hidden = !views.length;
  if (!views.length) { $("time").textContent = "No picture of it is kept."; return; }
  if (!kinds.includes("after") && kinds.includes("before")) what = "before";
  choose(views[0]);
  // The other is there by the time a thumb asks for it.
  if (view === "close" && !$("flip").hidden) pictures.get("after").catch(() => {}).then(() => pictures.get("before")).catch(() => {});
}

// Of the match that is being played, the last ruling can be answered here.
function answers() {
  let latest = {};
  watch((state) => {
    latest = state;
    const isLast = state.match === match && state.state === "playing" && state.rulings.at(-1)?.number === number;
    const key = String(isLast);
    if ($("answers").dataset.key === key) return;
    $("answers").dataset.key = key;
    $("answers").replaceChildren(...(isLast ? [el("button", { type: "button", onclick: () => askWhatToTakeBack(latest) }, "Wrong: take that back"), el("button", { type: "button", onclick: () => ask({ do: "press", button: "accept" }) }, "Right as it stands")] : []));
  });
}
need(open).catch((error) => { $("title").textContent = error.message; tell(error.message, true); });
