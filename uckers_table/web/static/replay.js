// A match gone through ruling by ruling.

import { $, capital, clock, date, el, get, need, svg, tell, words } from "./common.js";
import { BoardView, inWords, movedBetween, planOf } from "./board.js";
import { isDisputed, rulingLine } from "./rulings.js";

const number = Number(location.pathname.split("/")[2]);
const STEP_MS = 900;
// What makes a moment of a ruling, as the record names it: what several are called.
const MOMENTS = [["accusation", "accusations"], ["ucking", "uckings"], ["challenge", "challenges"], ["turning_point", "turning points"]];

// A film takes a while to be made: it is told how far it has got, and then it is there.
const LOOK_MS = 700;
let isFilming = false;
async function filmed(event, kind) {
  event.preventDefault();
  if (isFilming) return;
  isFilming = true;
  $("film").textContent = "Making the film …";
  const looking = setInterval(async () => {
    const { line } = await get(`/api/matches/${number}/film`).catch(() => ({}));
    if (line && isFilming) $("film").textContent = `${line}.`;
  }, LOOK_MS);
  try {
    const response = await fetch($(`as-${kind}`).href);
    if (!response.ok) throw new Error((await response.json()).line);
    const address = URL.createObjectURL(await response.blob());
    el("a", { href: address, download: `match-${number}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    $("film").textContent = "The film is made.";
  } catch (error) { $("film").textContent = `No film: ${error.message}`; }
  isFilming = false;
  clearInterval(looking);
}
for (const kind of ["gif", "webp"]) $(`as-${kind}`).addEventListener("click", (event) => filmed(event, kind));

async function open() {
  for (const kind of ["txt", "json", "csv", "gif", "webp"]) $(`as-${kind}`).href = `/api/matches/${number}/export/${kind}`;
  const { summary, plan: address, rulings } = await get(`/api/matches/${number}`);
  const won = summary.winner.length ? `${capital(summary.winner.join(" and "))} won` : summary.is_over ? "No result" : "Not finished";
  $("title").textContent = document.title = `Match ${number}: ${won}`;
  $("about").textContent = [date(summary.begun), summary.rules, ...summary.seats.filter((colour) => summary.names[colour]).map((colour) => `${capital(colour)}: ${summary.names[colour]}`), ...summary.honours.map(words)].join(" · ");
  if (!rulings.length) { $("say").textContent = "Nothing was ruled in it."; return; }
  const plan = await planOf(address), view = new BoardView($("board"), plan, summary.seats);
  view.turn = Number(localStorage.getItem("turn") || 0);
  const slider = $("at");
  slider.max = String(rulings.length - 1);
  let timer = 0;

  const show = (at) => {
    const ruling = rulings[at];
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", `${at + 1} of ${rulings.length}: ${ruling.say || words(ruling.ruling)}`);
    view.show(ruling.position, { toPlay: ruling.to_play, moved: at ? movedBetween(rulings[at - 1].position, ruling.position, summary.seats) : [] });
    $("say").textContent = ruling.say || `${ruling.side ? `${capital(ruling.side)}: ` : ""}${words(ruling.ruling)}`;
    $("meta").textContent = [`${at + 1} of ${rulings.length}`, clock(ruling.t), ruling.throw.length ? `thrown: ${ruling.throw.join(" and ")}` : "", ruling.to_play ? `then ${ruling.to_play} to ${ruling.awaiting.startsWith("throw") ? "throw" : "play"}` : "", ...ruling.moments.map(words)].filter(Boolean).join(" · ");
    $("look").hidden = !(isDisputed(ruling) || ruling.evidence.length);
    $("look").href = `/matches/${number}/${ruling.number}`;
    $("board-words").replaceChildren(inWords(ruling.position, summary.seats, plan, summary.names));
  };
  const stop = () => { clearInterval(timer); timer = 0; $("play").textContent = "Play"; };
  const step = (by) => show(Math.min(rulings.length - 1, Math.max(0, Number(slider.value) + by)));
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  $("back").addEventListener("click", () => { stop(); step(-1); });
  $("on").addEventListener("click", () => { stop(); step(1); });
  const isWanted = ({ moments }) => ($("moments").value ? moments.includes($("moments").value) : moments.length > 0);
  const stepMoment = (by) => {
    stop();
    for (let at = Number(slider.value) + by; at >= 0 && at < rulings.length; at += by) if (isWanted(rulings[at])) { show(at); return; }
    tell(by > 0 ? "There is none after this." : "There is none before this.");
  };
  const showTicks = () => {
    const last = Math.max(1, rulings.length - 1);
    $("ticks").replaceChildren(...rulings.flatMap((ruling, at) => (isWanted(ruling) ? [svg("line", { class: isDisputed(ruling) ? "accused" : null, x1: 1000 * at / last, x2: 1000 * at / last, y1: 0, y2: 10 })] : [])));
  };
  const count = (kind) => rulings.filter(({ moments }) => moments.includes(kind)).length;
  $("moments").replaceChildren(el("option", { value: "" }, `all moments (${rulings.filter(({ moments }) => moments.length).length})`), ...MOMENTS.map(([kind, name]) => el("option", { value: kind, disabled: !count(kind) }, `${name} (${count(kind)})`)));
  $("moments").addEventListener("change", showTicks);
  $("moment-back").addEventListener("click", () => stepMoment(-1));
  $("moment-on").addEventListener("click", () => stepMoment(1));
  showTicks();
  $("play").addEventListener("click", () => {
    if (timer) { stop(); return; }
    if (Number(slider.value) === rulings.length - 1) show(0);
    $("play").textContent = "Stop";
    timer = setInterval(() => { step(1); if (Number(slider.value) === rulings.length - 1) stop(); }, STEP_MS);
  });
  $("all").replaceChildren(...rulings.map((ruling) => rulingLine(ruling, number, { thumbs: false })));
  show(0);
}
need(open).catch((error) => { $("title").textContent = error.message; tell(error.message, true); });
