// Showing the table to the camera: two pictures, the corners that were found, and how good it is. A part of setting a
// table up too, where the board's seats have been chosen before.

import { $, ask, colourButtons, el, livePicture, svg, tell, watch } from "./common.js";

const showPicture = livePicture($("picture"), "plain");
let seats = () => undefined;
export function showWith(chosen) { seats = chosen; }
let working = "", shown = null, corners = [], held = -1, size = [1, 1];

watch((state, news) => {
  showPicture(state.frame);
  if (news.has("seats")) for (const colours of document.querySelectorAll(".colours")) colours.textContent = state.seats.join(", ");
  if (!news.has("calibration")) return;
  shown = state.calibration;
  const taken = shown?.taken || [];
  for (const what of ["empty", "start"]) $(`step-${what}`).classList.toggle("done", taken.includes(what));
  $("trouble").hidden = !shown?.trouble;
  $("trouble").textContent = shown?.trouble || "";
  question(topLeft, "Whose base is at the picture’s top left?", shown?.may_be_top_left, "top_left");
  question(countsAs, "What colour does it count as?", shown?.may_count_as, "count_as");
  $("accept").disabled = !shown?.is_acceptable;
  if (shown?.quality?.length) $("quality").replaceChildren(...shown.quality.map((line) => el("li", {}, line)));
  // Wherever on the page somebody is, he sees how far it has got.
  const step = shown?.quality?.find((line) => line.endsWith("…")) || "";
  if (step !== working) tell(step, false, { stays: true });
  working = step;
  if (held < 0) {
    size = shown?.size || [1, 1];
    corners = (shown?.corners || []).map((corner) => [...corner]);
    // Where none are found, there are some to be dragged.
    if (!corners.length && taken.includes("empty") && shown.trouble) corners = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => [x * size[0], y * size[1]]);
    outline();
  }
});

// What the pictures do not tell is asked: which way round the board lies, whose a strange piece is.
const topLeft = el("p", { id: "top-left", hidden: true }), countsAs = el("p", { id: "strange-piece", hidden: true });
$("trouble").after(topLeft, countsAs);
function question(place, words, colours, what) {
  place.hidden = !colours?.length;
  place.replaceChildren(words, " ", ...colourButtons(colours || [], (colour) => ask({ do: what, colour })));
}

const points = () => corners.map((corner) => corner.join(",")).join(" ");
function outline() {
  const root = $("outline"), r = Math.max(...size) / 40;
  root.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const focused = document.activeElement?.dataset?.corner;
  root.replaceChildren(...(corners.length === 4 ? [svg("polygon", { points: points() }), ...corners.map(([x, y], number) => {
    const corner = svg("g", { class: "corner", tabindex: 0, role: "slider", "aria-label": `Corner ${number + 1}; move it with the arrow keys`, "aria-valuetext": `${Math.round(x)}, ${Math.round(y)}`, "aria-valuenow": number + 1, "data-corner": number, transform: `translate(${x} ${y})` },
      svg("circle", { r }), svg("text", { "font-size": r }, String(number + 1)));
    corner.addEventListener("pointerdown", (event) => { held = number; root.setPointerCapture(event.pointerId); event.preventDefault(); corner.focus(); });
    corner.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 10 : 1, way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (!way) return;
      event.preventDefault();
      move(number, corners[number][0] + way[0], corners[number][1] + way[1]);
      send();
    });
    return corner;
  })] : []));
  if (focused !== undefined) root.querySelector(`[data-corner="${focused}"]`)?.focus();
}

function move(number, x, y) {
  corners[number] = [Math.min(size[0], Math.max(0, x)), Math.min(size[1], Math.max(0, y))].map((value) => Math.round(value * 10) / 10);
  const root = $("outline"), corner = root.querySelector(`[data-corner="${number}"]`);
  corner.setAttribute("transform", `translate(${corners[number].join(" ")})`);
  root.querySelector("polygon").setAttribute("points", points());
}

let sending = 0;
function send() { clearTimeout(sending); sending = setTimeout(() => ask({ do: "corners", corners }, { quiet: true }), 250); }

$("outline").addEventListener("pointermove", (event) => {
  if (held < 0) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform($("outline").getScreenCTM().inverse());
  move(held, at.x, at.y);
});
for (const end of ["pointerup", "pointercancel"]) $("outline").addEventListener(end, () => { if (held >= 0) { held = -1; send(); } });

$("take-empty").addEventListener("click", () => ask({ do: "picture", what: "empty", seats: seats() }));
$("take-start").addEventListener("click", () => ask({ do: "picture", what: "start", seats: seats() }));
$("find-corners").addEventListener("click", () => ask({ do: "corners", corners: null }));
$("accept").addEventListener("click", () => ask({ do: "accept_calibration" }));
