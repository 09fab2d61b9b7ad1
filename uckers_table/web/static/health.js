// Whether everything works, and what to try where it does not.

import { $, ask, capital, el, sure, watch } from "./common.js";

const UNKNOWN = "It does not tell.";
const HOT_C = 80, FULL_MB = 200, TIGHT_MB = 60;
const line = (name, words, isBad) => el("li", {}, el("strong", {}, name), " – ", el("span", { class: isBad ? "bad" : words === UNKNOWN ? "meta" : "well" }, words));

watch(({ health, devices, backup, findings }, news) => {
  if (news.has("backup")) {
    $("backup").textContent = backup;
    $("backup").hidden = !backup;
  }
  if (news.has("health") && health) {
    const { temperature_c: heat, is_under_voltage: isLow, was_under_voltage: wasLow, disk_free_mb: free, memory_free_mb: memory, is_clock_known: isKnown } = health;
    $("machine").replaceChildren(
      line("Power", isLow ? "Too little power now: use the supply that came with it, and a short lead." : wasLow ? "There was too little power since it was started: use a better supply or lead." : isLow === null ? UNKNOWN : "Good.", isLow || wasLow),
      line("Heat", heat === null ? UNKNOWN : `${Math.round(heat)} °C${heat >= HOT_C ? ": too hot, it slows down. Give it air." : ""}`, heat >= HOT_C),
      line("Card", free === null ? UNKNOWN : `${free >= 1000 ? `${(free / 1000).toFixed(1)} GB` : `${Math.round(free)} MB`} free${free < FULL_MB ? ": nearly full. Back it up and clear it." : ""}`, free !== null && free < FULL_MB),
      line("Memory", memory === null ? UNKNOWN : `${Math.round(memory)} MB free${memory < TIGHT_MB ? ": end the other programs on it." : ""}`, memory !== null && memory < TIGHT_MB),
      line("Clock", isKnown ? "Knows the date." : "Does not know the date: this phone can tell it.", !isKnown),
    );
  }
  if (news.has("findings")) $("findings").replaceChildren(...(findings || []).map(({ device, state, what, to_try: toTry }) => el("li", {}, el("strong", {}, capital(device)), " – ", el("span", { class: state === "good" ? "well" : state === "unused" ? "meta" : "bad" }, state), el("p", {}, capital(what)), toTry ? el("p", {}, `Try: ${toTry}`) : null)));
  if (news.has("devices")) $("devices").replaceChildren(...devices.map((device) => el("li", {}, el("strong", {}, capital(device.name)), " – ", el("span", { class: device.is_well ? "well" : "bad" }, device.state), device.what_to_try ? el("p", {}, device.what_to_try) : null)));
});

$("examine").addEventListener("click", () => ask({ do: "examine" }));
const button = (label, command) => el("button", { type: "button", onclick: () => ask(command()) }, label);
async function switchOff() {
  if (await sure("Switch the table off?", { yes: "Switch off", no: "Stay on", words: "A match that is on is kept, and goes on when there is power again." })) ask({ do: "switch_off" });
}
$("buttons").append(
  button("Test the sound", () => ({ do: "test_sound" })),
  button("Tell it the time", () => ({ do: "clock", unix_s: Math.floor(Date.now() / 1000) })),
  button("Back up to the stick", () => ({ do: "backup" })),
  el("button", { type: "button", class: "danger", onclick: switchOff }, "Switch off"),
);
