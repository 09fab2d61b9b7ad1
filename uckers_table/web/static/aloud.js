// This phone says what the table says, if somebody wants that: for a table without a loudspeaker.

import { $, tell, watch } from "./common.js";

// As the table's own voice: what has waited for longer has been overtaken by the game, and of a flood only the newest
// is worth hearing. A phone that does not say that it has ended has forgotten to.
const STALE_MS = 8_000, MOST_WAITING = 8, LONGEST_MS = 20_000;
const KEY = "speaks";
const synthesis = window.speechSynthesis;
let isOn = false, saying = null, waiting = [], heard = 0;

// A phone in the table's own network reaches no voice that somebody else's computer speaks.
function britishVoice() {
  const english = synthesis.getVoices().filter((voice) => voice.lang.startsWith("en"));
  const isBritish = (voice) => voice.lang.replace("_", "-") === "en-GB";
  const near = english.filter((voice) => voice.localService);
  return near.find(isBritish) || english.find(isBritish) || near[0] || null;
}

function next() {
  waiting = waiting.filter((line) => line.is_urgent || Date.now() - line.since <= STALE_MS);
  if (saying || !waiting.length) return;
  const line = saying = waiting.shift();
  const words = line.words = new SpeechSynthesisUtterance(line.say);
  words.lang = "en-GB";
  words.voice = britishVoice();
  const ended = () => { clearTimeout(line.timer); if (saying === line) { saying = null; next(); } };
  words.onend = words.onerror = ended;
  line.timer = setTimeout(() => { if (saying === line) synthesis.cancel(); ended(); }, LONGEST_MS);
  synthesis.speak(words);
}

function say({ say: words, is_urgent = false }) {
  if (is_urgent) {
    waiting = waiting.filter((line) => line.is_urgent);
    if (saying && !saying.is_urgent) fallSilent();
  }
  waiting.push({ say: words, is_urgent, since: Date.now() });
  while (waiting.length > MOST_WAITING) waiting.splice(Math.max(waiting.findIndex((line) => !line.is_urgent), 0), 1);
  next();
}

function fallSilent() {
  const line = saying;
  saying = null;
  clearTimeout(line?.timer);
  synthesis.cancel();
}

function turn(on) {
  isOn = on;
  try { localStorage.setItem(KEY, on ? "yes" : "no"); } catch { /* A browser that keeps nothing. */ }
  $("speaks").setAttribute("aria-pressed", String(on));
  waiting = [];
  fallSilent();
}

// Browsers let a page speak once somebody has touched it; Safari, once it has spoken at a touch.
function askForTouch() {
  tell("Touch this page once. Then it says what the table says.", false, { stays: true });
  const touched = (event) => {
    for (const touch of ["pointerup", "keydown"]) removeEventListener(touch, touched);
    // The switch's own press turns it on.
    if (isOn || event.target.id === "speaks") return;
    turn(true);
    synthesis.speak(new SpeechSynthesisUtterance(""));
    tell("");
  };
  for (const touch of ["pointerup", "keydown"]) addEventListener(touch, touched);
}

// What the table said before this page was there, or while its line was lost, is old.
watch((state, news, isAll) => {
  if (!news.has("spoken")) return;
  if (news.has("match") && !isAll) heard = 0;
  const fresh = state.spoken.filter((line) => line.number > heard);
  heard = state.spoken.at(-1)?.number ?? 0;
  if (isOn && !isAll) fresh.forEach(say);
});
document.addEventListener("visibilitychange", () => { if (document.hidden && synthesis) { waiting = []; fallSilent(); } });

if (synthesis) {
  $("speaks").addEventListener("click", () => {
    turn(!isOn);
    if (isOn) say({ say: "This phone speaks." });
  });
  let wanted = "";
  try { wanted = localStorage.getItem(KEY) || ""; } catch { /* A browser that keeps nothing. */ }
  if (wanted === "yes") askForTouch();
} else {
  $("speaks").disabled = true;
  $("speaks-words").textContent = "This browser cannot speak.";
}
