// One ruling and what it rests on: the picture cut to it, before and after under one thumb, and those around it.

import { $, ask, die, el, get, need, tell, watch, words } from "./common.js";
import { BoardView, movedBetween, planOf } from "./board.js";
import { ALTS, Flipped, decoded, drawnOnBoard, howLikely, inSentences } from "./evidence.js";
import { askWhatToTakeBack } from "./takeback.js";

const [, , match, number] = location.pathname.split("/").map(Number);
const VIEWS = { close: "Close up", whole: "Whole picture", frames: "Step through" };

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
  // The likeliest story in which nobody did wrong, where it says that pieces stand elsewhere than they were seen.
  const other = ruling.stories.find((story) => !story.guilty), stands = other?.position, told = stands && summary.seats.every((colour) => stands[colour]?.length);
  const elsewhere = told ? movedBetween(accused.stood ?? ruling.position, stands, summary.seats) : [];
  $("other-part").hidden = !elsewhere.length;
  if (elsewhere.length) draw($("board-other"), stands, elsewhere);
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
  const pictures = new Flipped(match, number, { ruling, taken, accused });
  const views = [...(pictures.isAny ? ["close", "whole"] : []), ...(frames.length ? ["frames"] : [])];
  const whole = async (address) => ({ image: await decoded(address), address });
  let view = "";
  for (const [part, id] of [["image", "picture"], ["over", "counted"], ["frame", "close-up"], ["button", "flip"], ["time", "time"]]) pictures[part].id = id;

  // The whole picture is flipped by the same button: after it is the one with the difference marked, if that is kept.
  const flipped = () => {
    if (view === "close") return pictures.show();
    const kind = pictures.what === "after" && ruling.evidence.includes("marked") ? "marked" : pictures.what;
    return pictures.show(whole(`/api/matches/${match}/${number}/${kind}.jpg`), ALTS[kind]);
  };
  const frame = (which) => {
    $("at").value = String(which);
    const ago = frames[which] - ruling.t;
    const when = `${Math.abs(ago).toFixed(1)} seconds ${ago < 0 ? "before" : "after"} the ruling`;
    $("at").setAttribute("aria-valuetext", when);
    pictures.paint(whole(`/api/matches/${match}/${number}/frames/${which}`), `The table ${when}`, `${which + 1} of ${frames.length}: ${when}`);
  };
  const choose = (chosen) => {
    view = chosen;
    for (const button of $("views").children) {
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
      button.classList.toggle("first", button.dataset.view === view);
    }
    $("stepping").hidden = view !== "frames";
    pictures.button.hidden = view === "frames" || pictures.kinds.length < 2;
    $("looked-into").classList.toggle("is-whole", view !== "close");
    pictures.frame.classList.toggle("whole", view !== "close");
    if (view === "frames") frame(Number($("at").value)); else flipped();
  };
  pictures.flipped = () => { if (view !== "frames") flipped(); };
  $("views").replaceChildren(...views.map((each) => el("button", { type: "button", "data-view": each, onclick: () => choose(each) }, VIEWS[each])));
  $("at").max = String(Math.max(0, frames.length - 1));
  const nearest = frames.findIndex((t) => t >= ruling.t);
  $("at").value = String(nearest < 0 ? Math.max(0, frames.length - 1) : nearest);
  $("at").oninput = () => frame(Number($("at").value));
  $("back").onclick = () => frame(Math.max(0, Number($("at").value) - 1));
  $("on").onclick = () => frame(Math.min(frames.length - 1, Number($("at").value) + 1));
  $("larger").onclick = () => { $("larger").href = pictures.address; };
  $("flipped").replaceChildren(views.length ? pictures.root : "No picture of it is kept.");
  $("larger-words").hidden = !views.length;
  if (views.length) choose(views[0]);
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
