// Setting a table up, one thing after the other: rules, seats, the camera's picture, calibration, sound, done. Each
// step is what the pages of the same names have; this only leads through them.

import { $, ask, capital, el, watch } from "./common.js";
import { chosenSeats, troublesOf } from "./new.js";
import { showWith } from "./calibrate.js";
import { showCard } from "./card.js";

// Each is at an address of its own (#rules), and in a section of its own (at-rules).
const STEPS = [["rules", "Rules"], ["seats", "Seats"], ["camera", "Camera"], ["calibration", "Calibration"], ["sound", "Sound"], ["done", "Done"]];
let state = {}, step = "", isSaid = false, isHeard = null;

const device = (name) => (state.devices || []).find((each) => each.name === name) || { state: state.devices ? "none" : "not known", is_well: true };
const isThere = (name) => device(name).state !== "none";
const steps = () => STEPS.filter(([name]) => isThere("camera") || !["camera", "calibration"].includes(name));
const place = () => steps().findIndex(([name]) => name === step);
const hasOtherSeats = () => isThere("camera") && state.seats?.length === 4 && chosenSeats().join() !== state.seats.join();
const isCalibrated = () => !isThere("camera") || (device("camera").state !== "not calibrated" && !hasOtherSeats());

showWith(chosenSeats);

// ---------------------------------------------------------------- from step to step

function open(name, { isAsked = true } = {}) {
  step = steps().some(([known]) => known === name) ? name : steps()[0][0];
  for (const [known] of STEPS) $(`at-${known}`).hidden = known !== step;
  $("picture-part").hidden = !["camera", "calibration"].includes(step);
  for (const id of ["quality-part", "outline"]) $(id).toggleAttribute("hidden", step !== "calibration");
  $("back").disabled = place() === 0;
  $("next").hidden = step === "done";
  if (isAsked) { $(`${step}-title`).focus(); scrollTo(0, 0); }
  show();
}

function go(by) {
  const to = steps()[place() + by];
  // So that the phone's own way back leads a step back too.
  if (to) location.hash = to[0];
}
addEventListener("hashchange", () => {
  const name = location.hash.slice(1);
  if (STEPS.some(([known]) => known === name)) open(name);
});
$("back").addEventListener("click", () => go(-1));
$("next").addEventListener("click", () => go(1));
// What is typed ends with Enter; a match begins by its button alone.
$("form").addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target.tagName === "INPUT") event.preventDefault(); });

// ---------------------------------------------------------------- what each step shows

// Written only when it is other than it was: somebody may be reading it out, or have a finger on it.
function write(id, words) { if ($(id).textContent !== words) $(id).textContent = words; }
function refill(id, items) {
  const fresh = el("div", {}, items);
  if (fresh.innerHTML !== $(id).innerHTML) $(id).replaceChildren(...fresh.childNodes);
}

function show() {
  refill("progress", steps().map(([name, words], number) => el("li", { "aria-current": name === step ? "step" : null, class: number < place() ? "done" : null }, el("a", { href: `#${name}` }, words))));
  // Nothing is said of a table that is not known yet.
  if (!state.devices) return;
  write("camera-state", cameraWords());
  write("calibration-state", !isCalibrated() ? (hasOtherSeats() && device("camera").state !== "not calibrated" ? "It has learned other seats than you have chosen: both pictures are needed." : "It has not been shown this table yet: two pictures are needed.") : "It knows this table. Only if board, camera or lamp have moved, show it the table anew.");
  $("step-accept").classList.toggle("done", isCalibrated() && device("camera").is_well);
  const voice = device("voice");
  write("sound-state", !isThere("voice") ? "This table has no voice: the display and this page tell everything." : isSaid ? "It has said: “This is the referee. Can you hear me?”" : "Press, and listen at the table.");
  $("test-sound").disabled = $("heard").disabled = $("not-heard").disabled = !isThere("voice");
  $("silent").hidden = isHeard !== false;
  $("voice-words").hidden = !voice.what_to_try;
  write("voice-words", voice.what_to_try || "");
  showSummary();
}

function cameraWords() {
  const camera = device("camera");
  if (camera.state === "lost") return `No picture: ${camera.what_to_try}`;
  if (!isCalibrated()) return "It gives pictures. Where the board lies in them it is shown in the next step.";
  return troublesOf(state.seen) || (state.seen ? `Board found. Light good. ${state.seen.found} of ${state.seen.of} pieces seen.` : "Waiting for a picture …");
}

function showSummary() {
  const chosen = document.querySelector("[name=rules]:checked")?.value || state.rules || "";
  const seats = chosenSeats(), players = seats.length === 4 ? document.querySelector("[name=players]:checked").value : seats.length;
  const others = (state.devices || []).filter((each) => !["camera", "voice"].includes(each.name) && !each.is_well);
  const line = (name, words, isBad, where) => el("li", {}, el("strong", {}, name), " – ", el("span", { class: isBad ? "bad" : where ? "meta" : "well" }, words), where ? el("p", {}, el("a", { href: where }, "Go there")) : null);
  const isLost = device("camera").state === "lost";
  refill("summary", [
    line("Rules", $("switched").textContent === "None" ? chosen : `${chosen}, ${$("switched").textContent.toLowerCase()}`),
    line("Seats", `${seats.map(capital).join(", ")}; ${players} players`),
    !isThere("camera") ? line("Camera", "None: plays are entered on this page.")
      : !isCalibrated() ? line("Camera", "It has not been shown this table.", true, "#calibration")
      : line("Camera", isLost ? cameraWords() : "It knows the table.", isLost, isLost ? "#camera" : null),
    !isThere("voice") ? line("Sound", "This table has no voice.") : line("Sound", isHeard ? "You hear it." : isHeard === false ? "You hear nothing." : "Not tested.", isHeard === false, isHeard ? null : "#sound"),
    ...others.map((each) => el("li", {}, el("strong", {}, capital(each.name)), " – ", el("span", { class: "bad" }, each.state), el("p", {}, each.what_to_try))),
  ]);
  $("start").disabled = !isCalibrated() || state.state === "playing";
  write("start", state.state === "playing" ? "A match is on" : "Start the match");
}

$("test-sound").addEventListener("click", async () => { if (await ask({ do: "test_sound" }, { quiet: true })) { isSaid = true; show(); } });
for (const [id, is] of [["heard", true], ["not-heard", false]]) $(id).addEventListener("click", () => {
  isHeard = is;
  ask({ do: "heard", is_heard: is }, { quiet: true });
  $("heard").setAttribute("aria-pressed", String(is));
  $("not-heard").setAttribute("aria-pressed", String(!is));
  show();
  if (is) $("next").focus();
});
$("seats").addEventListener("seated", show);
$("form").addEventListener("change", show);

watch((now, news) => {
  state = now;
  if (news.has("card")) showCard($("card"), state.card);
  if (["devices", "seats", "seen", "state", "calibration", "rules"].some((name) => news.has(name))) {
    if (!steps().some(([name]) => name === step)) open(steps()[0][0], { isAsked: false });
    else show();
  }
});
open(location.hash.slice(1), { isAsked: false });
