// Devices are tried and chosen here, live. What is tried out ends by itself some seconds after this page is gone.

import { $, ask, capital, die, el, livePicture, sure, watch, words } from "./common.js";
import { showCard } from "./card.js";

const STAY_MS = 3_000;
const SET = [...document.querySelectorAll("[data-key]")], TRY = [...document.querySelectorAll("[data-try]")];
const SAID = { tower: "The tower", dice: "Who reads the dice", tower_cocked: "Tilted dice", tray_camera: "The tray’s camera", tray_px_mm: "The tray’s scale", tray_settings: "What the tray’s camera is locked at", buttons: "The buttons", display: "The display", voice: "The voice", sound_card: "The sound card", volume: "How loud it is", sound_stays_open: "Silence between sentences", camera: "The camera", camera_source: "Which USB camera", mains_hz: "The mains" };
const showTray = livePicture($("tray-picture"), "tray"), showThrown = livePicture($("thrown-picture"), "tray-read");
let state = {}, staying = 0;

// ---------------------------------------------------------------- what is tried out

const isTrying = () => ["presses", "lamps", "looked_at", "waits", "display"].some((what) => state.trying_out?.[what]);
async function stay() {
  clearTimeout(staying);
  if (document.hidden || !isTrying()) return;
  if (await ask({ do: "try_out", device: "all", deed: "stay" }, { quiet: true })) staying = setTimeout(stay, STAY_MS);
}
const end = () => { clearTimeout(staying); ask({ do: "try_out", device: "all", deed: "end" }, { quiet: true }); };
let mine = false;
for (const button of TRY) button.addEventListener("click", async () => {
  const [device, deed] = button.dataset.try.split(" ");
  const edge = deed === "scale" ? { die_mm: Number($("die-edge").value) } : {};
  if (!(await ask({ do: "try_out", device, deed, ...edge }, { quiet: true }))) return;
  mine = true;
  clearTimeout(staying);
  staying = setTimeout(stay, STAY_MS);
});
const stop = (id) => el("button", { type: "button", class: "quiet", id, onclick: end }, "Stop");
$("drop").after(" ", stop("stop-tower"));
document.querySelector("[data-try=\"buttons each\"]").after(" ", stop("stop-buttons"));
document.querySelector("[data-try=\"display page\"]").after(" ", stop("stop-display"));

function write(id, text) { if ($(id).textContent !== text) $(id).textContent = text; }
function refill(id, items) {
  const fresh = el("div", {}, items);
  if (fresh.innerHTML !== $(id).innerHTML) $(id).replaceChildren(...fresh.childNodes);
}
const line = (text, isBad = false) => el("li", { class: isBad ? "bad" : null }, text);

function showTried() {
  const now = state.trying_out;
  const lines = [];
  if (now.looked_at && !now.reader) lines.push(line("Asking the tower …"));
  if (now.reader) lines.push(line(now.reader === "tray" ? "It reads the dice by the camera over its tray." : "It reads the dice by the sensors under its floor."));
  for (const [at, name] of [[0, "in-beam"], [1, "out-beam"]]) if (now.beams[at]) lines.push(line(`The ${name} is ${now.beams[at]}.${now.beams[at] === "dark" ? " Take out what is in its way, and see that its two parts face each other." : ""}`, now.beams[at] === "dark"));
  if (now.lamp) lines.push(line(now.lamp === "lit" ? "The tray’s lamp is lit." : "The tray’s lamp draws no current. Is it plugged in?", now.lamp !== "lit"));
  if (now.readout) lines.push(line(`Its readout should say ${now.readout}.`));
  if (now.waits) lines.push(line("Drop two dice in now. It counts for no match."));
  refill("tower-reads", lines);
  $("thrown").hidden = !now.thrown;
  write("thrown-words", now.thrown ? `It has read: ${now.thrown}` : "");
  if ($("thrown-dice").dataset.shown !== now.dice.join()) {
    $("thrown-dice").dataset.shown = now.dice.join();
    $("thrown-dice").replaceChildren(...now.dice.map(die));
  }
  if (now.picture) showThrown(now.picture); else $("thrown-picture").hidden = true;
  $("array").hidden = now.reader !== "array";
  if (now.tray) showTray(now.tray); else $("tray-picture").hidden = true;
  const isNamed = state.settings.values.tray_camera;
  write("tray-state", now.line || (isNamed ? now.tray ? "This is its picture." : "Press “Look at it now” above to see its picture." : "No camera over the tray is chosen."));
  const came = new Set(now.pressed);
  refill("pressed", now.presses || came.size ? [...now.pressed, ...now.missing].sort().map((name) => el("li", { class: came.has(name) ? "well" : "meta" }, `${came.has(name) ? "✓" : "–"} ${words(name)}`)) : []);
  write("pressed-words", now.presses ? now.missing.length ? `Press each button on the table. ${now.missing.length} to come: ${now.missing.map(words).join(", ")}. A button that does not come: see its lead.` : "Every button has come." : now.lamps === "all" ? "All seven lamps should be lit." : now.lit ? `Lit now: ${words(now.lit)}.` : came.size && now.missing.length ? `These have not come: ${now.missing.map(words).join(", ")}.` : "");
  write("display-words", now.display ? "It should say TEST." : "");
}

// ---------------------------------------------------------------- what is chosen

// The value of a field, of the kind that the table has it.
const valueOf = (field) => (typeof state.settings.values[field.dataset.key] === "number" ? Number(field.value) : typeof state.settings.values[field.dataset.key] === "boolean" ? field.value === "true" : field.value);
function showSet() {
  const { values, own, waiting, trouble, fixed } = state.settings;
  for (const field of SET) {
    if (!(field.dataset.key in values)) continue;
    const list = field.dataset.of && state.settings[field.dataset.of], value = String(values[field.dataset.key]);
    if (list) {
      const named = value && !list.includes(value) ? [value, ...list] : list;
      const options = [el("option", { value: "" }, field.dataset.none), ...named.map((name) => el("option", { value: name }, list.includes(name) ? name : `${name} (not plugged in)`))];
      const fresh = el("select", {}, options);
      if (fresh.innerHTML !== field.innerHTML) field.replaceChildren(...options);
    } else if (field.tagName === "SELECT" && ![...field.options].some((option) => option.value === value)) {
      field.append(el("option", { value }, `${value}, as the configuration has it`));
    }
    if (document.activeElement !== field || field.tagName === "SELECT") field.value = value;
  }
  write("volume-words", `${$("volume").value} of 100`);
  $("fixed").hidden = !fixed;
  write("fixed", fixed);
  $("settings-trouble").hidden = !trouble;
  write("settings-trouble", trouble);
  write("waiting", waiting.length ? `Waits for that: ${waiting.map((key) => SAID[key].toLowerCase()).join(", ")}.` : "Nothing waits for that.");
  write("own", own.length ? `Set here, over the configuration: ${own.map((key) => SAID[key].toLowerCase()).join(", ")}.` : "Nothing was set here: the configuration alone counts.");
  $("as-configured").disabled = !own.length && !trouble;
}
for (const field of SET) field.addEventListener("change", async () => {
  if (field.validity && !field.validity.valid) { field.reportValidity(); return; }
  await ask({ do: "choose", values: { [field.dataset.key]: valueOf(field) } });
  showSet();
});
$("volume").addEventListener("input", () => write("volume-words", `${$("volume").value} of 100`));
$("test-sound").addEventListener("click", () => ask({ do: "test_sound" }));
for (const [id, is] of [["heard", true], ["not-heard", false]]) $(id).addEventListener("click", () => ask({ do: "heard", is_heard: is }, { quiet: true }));
$("start-anew").addEventListener("click", async () => {
  if (await sure("Start the table anew?", { yes: "Start anew", no: "Leave it", words: "It takes up to a minute. A match that is on goes on." })) ask({ do: "start_anew" });
});
$("as-configured").addEventListener("click", async () => {
  if (await sure("Forget all that was set here?", { yes: "Forget it", no: "Keep it", words: "From the next start on the configuration alone counts." })) ask({ do: "as_configured" });
});

watch((now, news) => {
  state = now;
  if (news.has("card")) showCard($("card"), state.card);
  if (news.has("trying_out") || news.has("settings")) showTried();
  if (news.has("settings")) showSet();
  if (news.has("state") || news.has("settings")) {
    const isOn = state.state === "playing", isFixed = Boolean(state.settings.fixed);
    $("not-now").hidden = !isOn;
    for (const button of TRY) button.disabled = isOn;
    for (const field of SET) field.disabled = isFixed || (isOn && !field.closest("#sound, #board-camera"));
  }
  if (mine && news.has("trying_out") && !isTrying()) { mine = false; clearTimeout(staying); }
});
document.addEventListener("visibilitychange", () => { if (!document.hidden && mine) stay(); });
addEventListener("hashchange", () => document.querySelector(location.hash || "#main")?.scrollIntoView());
