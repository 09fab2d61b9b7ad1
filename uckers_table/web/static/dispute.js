// One ruling and what it rests on: the pictures before, after and marked, and those from around it.

import { $, ask, clock, el, get, need, tell, watch, words } from "./common.js";
import { BoardView, movedBetween, planOf } from "./board.js";
import { askWhatToTakeBack } from "./takeback.js";

const [, , match, number] = location.pathname.split("/").map(Number);
const NAMES = { before: "Before", after: "After", marked: "What differs" };
const ALTS = { before: "The last board that was right", after: "The board that was judged", marked: "The board that was judged, the difference marked" };

const howLikely = (odds) => odds < 1.5 ? "as likely" : `${(odds < 10 ? Math.round(odds * 10) / 10 : Math.round(odds)).toLocaleString("en-GB")} times less likely`;

async function open() {
  const { summary, plan: address, rulings } = await get(`/api/matches/${match}`);
  const at = rulings.findIndex((each) => each.number === number), ruling = rulings[at];
  if (!ruling) throw new Error("There is no such ruling in this match.");
  $("title").textContent = document.title = `Match ${match}, ruling ${number}`;
  $("say").textContent = ruling.say || words(ruling.ruling);
  $("to-match").href = `/matches/${match}`;
  const plan = await planOf(address), turn = Number(localStorage.getItem("turn") || 0);
  const draw = (root, position, moved) => { const view = new BoardView(root, plan, summary.seats); view.turn = turn; view.show(position, { moved }); };
  const before = at ? rulings[at - 1].position : ruling.position;
  const moved = movedBetween(before, ruling.position, summary.seats);
  // What was called wrong is not on record: then there is one board to show.
  $("before-part").hidden = !moved.length;
  if (moved.length) draw($("board-before"), before, []);
  else $("after-words").textContent = "On record";
  draw($("board-after"), ruling.position, moved);

  const stories = ruling.stories ?? [];
  $("why").hidden = !stories.length;
  $("stories").replaceChildren(...stories.map((story, n) => el("li", {},
    el("strong", {}, story.guilty ? "Somebody did wrong" : "Nobody did wrong"), ` (${n ? howLikely(story.odds) : "the likeliest"}). ${story.say}`)));

  const frames = await get(`/api/matches/${match}/${number}/frames`).catch(() => []);
  const kinds = ["marked", "before", "after"].filter((what) => ruling.evidence.includes(what));
  const image = $("picture");
  const show = (address) => { image.src = address; $("larger").href = address; };
  const choose = (what) => {
    for (const tab of $("tabs").children) tab.setAttribute("aria-pressed", String(tab.dataset.what === what));
    for (const tab of $("tabs").children) tab.classList.toggle("first", tab.dataset.what === what);
    $("stepping").hidden = what !== "frames";
    image.hidden = false;
    if (what === "frames") { frame(Number($("at").value)); return; }
    show(`/api/matches/${match}/${number}/${what}.jpg`);
    image.alt = ALTS[what];
    $("time").textContent = `at ${clock(ruling.t)}`;
  };
  const frame = (which) => {
    $("at").value = String(which);
    const ago = frames[which] - ruling.t;
    $("at").setAttribute("aria-valuetext", `${Math.abs(ago).toFixed(1)} seconds ${ago < 0 ? "before" : "after"} the ruling`);
    show(`/api/matches/${match}/${number}/frames/${which}`);
    image.alt = `The table ${Math.abs(ago).toFixed(1)} seconds ${ago < 0 ? "before" : "after"} the ruling`;
    $("time").textContent = `${which + 1} of ${frames.length}: ${Math.abs(ago).toFixed(1)} seconds ${ago < 0 ? "before" : "after"} the ruling`;
  };
  $("tabs").replaceChildren(...kinds.map((what) => el("button", { type: "button", "data-what": what, onclick: () => choose(what) }, NAMES[what])),
    ...(frames.length ? [el("button", { type: "button", "data-what": "frames", onclick: () => choose("frames") }, "Step through")] : []));
  $("at").max = String(Math.max(0, frames.length - 1));
  const nearest = frames.findIndex((t) => t >= ruling.t);
  $("at").value = String(nearest < 0 ? Math.max(0, frames.length - 1) : nearest);
  $("at").addEventListener("input", () => frame(Number($("at").value)));
  $("back").addEventListener("click", () => frame(Math.max(0, Number($("at").value) - 1)));
  $("on").addEventListener("click", () => frame(Math.min(frames.length - 1, Number($("at").value) + 1)));
  $("none").hidden = Boolean(kinds.length || frames.length);
  $("larger-words").hidden = !$("none").hidden;
  if (kinds.length) choose(kinds[0]); else if (frames.length) choose("frames");

  // Of the match that is being played, the last ruling can be answered here.
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
