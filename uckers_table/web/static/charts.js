// Figures drawn as SVG, in the page's own colours. What a colour says, a number, a letter or a pattern says too.

import { capital, die, el, svg, tell } from "./common.js";
import { BoardView, planOf } from "./board.js";

const text = (x, y, words, attributes) => svg("text", { x, y, ...attributes }, String(words));
const name = (who) => el("bdi", {}, who);
const drawing = (label, viewBox, ...children) => svg("svg", { class: "chart", viewBox, role: "img", "aria-label": label }, ...children);

// How often each face came, and the band in which fair dice stay 19 times in 20.
const WIDE = 320, FOOT = 150, HEAD = 26, BAR = 34, DIE = 24;
function faces({ counts, low, high }) {
  const most = Math.max(1, high, ...counts), y = (count) => FOOT - (FOOT - HEAD) * count / most;
  const is = (count) => (count > high ? "more than fair dice" : count < low ? "less than fair dice" : "");
  const bars = counts.flatMap((count, at) => {
    const x = 12 + at * (WIDE - 24 + BAR / 2) / 6, odd = is(count);
    return [svg("rect", { class: odd ? "bar odd" : "bar", x, width: BAR, y: y(count), height: FOOT - y(count) }),
      text(x + BAR / 2, y(count) - 5, `${odd ? (count > high ? "▲" : "▼") : ""}${count}`),
      svg("svg", { x: x + (BAR - DIE) / 2, y: FOOT + 6, width: DIE, height: DIE, viewBox: "0 0 60 60", class: "face", "aria-hidden": "true" }, [...die(at + 1).childNodes])];
  });
  const label = `How often each face came: ${counts.map((count, at) => [`${at + 1}: ${count}`, is(count)].filter(Boolean).join(", ")).join("; ")}. Fair dice: ${Math.round(low)} to ${Math.round(high)}.`;
  return el("figure", {}, drawing(label, `0 0 ${WIDE} 182`, svg("rect", { class: "band", x: 2, width: WIDE - 4, y: y(high), height: y(low) - y(high) }), bars,
    svg("line", { class: "axis", x1: 2, x2: WIDE - 2, y1: FOOT, y2: FOOT })), el("figcaption", {}, "The dashed band is where each face of fair dice stays 19 times in 20."));
}

// Where pieces were ucked, on the board: the larger the spot, the more.
const NUMBERED = 10;
function board({ plan: address, seats, squares }) {
  const drawn = svg("svg", { class: "board heat", role: "img", "aria-label": "Where pieces were ucked: the figures below tell it" });
  planOf(address).then((plan) => {
    const view = new BoardView(drawn, plan, seats), most = Math.max(...squares.map(({ times }) => times));
    view.turn = Number(localStorage.getItem("turn") || 0);
    const said = squares.slice(0, NUMBERED).map(({ steps, times }) => `${plan.words[seats[0]][steps]} ${times}`);
    drawn.setAttribute("aria-label", `Where pieces were ucked, most often first: ${said.join("; ")}`);
    drawn.replaceChildren(...view.ground(null), ...squares.map(({ steps, times }, at) => {
      const [x, y] = view.spot(seats[0], steps), isNumbered = at < NUMBERED;
      return svg("g", { class: "spot", transform: `translate(${x} ${y})` }, svg("circle", { r: isNumbered ? 0.48 : 0.1 + 0.36 * Math.sqrt(times / most), "fill-opacity": 0.35 + 0.65 * times / most, class: isNumbered ? "hot" : null }), isNumbered ? text(0, 0.02, times) : null);
    }));
  }).catch((error) => tell(error.message, true));
  return el("figure", {}, drawn, el("figcaption", {}, "The larger and fuller a spot, the more pieces were ucked there. The ten worst squares have their number."));
}

// Which colour ucked which: a row for who did it, a column for whose piece went back.
const CELL = 56;
function colours({ who, times }) {
  const most = Math.max(1, ...times.flat()), side = CELL * (who.length + 1);
  const mark = (colour, x, y) => svg("g", { class: "board", transform: `translate(${x} ${y}) scale(36)` }, svg("g", { class: "piece" }, svg("circle", { r: 0.44, class: `disc c-${colour}` })));
  const middle = (at) => CELL * (at + 1.5);
  const drawn = who.flatMap((colour, at) => [
    mark(colour, CELL / 2, middle(at)), text(CELL / 2, middle(at) + 30, capital(colour), { class: "small" }), mark(colour, middle(at), CELL / 2), text(middle(at), CELL / 2 + 30, capital(colour), { class: "small" }),
    ...times[at].flatMap((number, to) => (number ? [svg("circle", { class: "amount", cx: middle(to), cy: middle(at), r: 21 * Math.sqrt(number / most) }), text(middle(to), middle(at), number, { class: "in" })] : [])),
  ]);
  const said = who.flatMap((one, at) => who.map((other, to) => times[at][to] && `${one} ucked ${other} ${times[at][to]} times`)).filter(Boolean);
  return el("figure", {}, drawing(said.join("; "), `0 0 ${side} ${side + 8}`, drawn), el("figcaption", {}, "A row is who ucked, a column is whose piece went back to base."));
}

// Two against each other: what each has, and one bar that they share.
function pairs(rows, what) {
  return el("ul", { class: "bars" }, rows.map(({ one, other, counts: [has, against] }) => {
    const part = 100 * has / Math.max(1, has + against);
    return el("li", {}, el("p", { class: "ends" }, el("span", {}, name(one), " ", el("b", {}, String(has))), el("span", {}, el("b", {}, String(against)), " ", name(other))),
      svg("svg", { class: "both", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": `${one} ${has} ${what}, ${other} ${against}` },
        svg("rect", { class: "theirs", width: 100, height: 10 }), svg("rect", { class: "ours", width: part, height: 10 })));
  }));
}

// How the last matches went, the newest on the right.
const BOX = 26;
function streaks(rows) {
  return el("ul", { class: "bars" }, rows.map(({ who, form, now, longest }) => el("li", {},
    el("p", { class: "ends" }, name(who), el("span", {}, now)),
    svg("svg", { class: "form", viewBox: `0 0 ${BOX * 10} ${BOX}`, role: "img", "aria-label": [...form].map((letter) => (letter === "W" ? "won" : "lost")).join(", ") },
      [...form].map((letter, at) => svg("g", { class: letter === "W" ? "won" : "lost", transform: `translate(${at * BOX} 0)` }, svg("rect", { x: 1.5, y: 1.5, width: BOX - 5, height: BOX - 3, rx: 4 }), text(BOX / 2 - 1, BOX / 2 + 0.5, letter)))),
    el("p", { class: "meta" }, `Most won in a row: ${longest}`))));
}

function caught(rows) {
  const most = Math.max(1, ...rows.map(({ times }) => times));
  return el("ul", { class: "bars" }, rows.map(({ at, times, who }) => el("li", {}, el("p", { class: "ends" }, el("span", {}, at), el("strong", {}, String(times))),
    svg("svg", { class: "one", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "ours", width: 100 * times / most, height: 10 })),
    el("p", { class: "meta" }, who.flatMap(([player, number], index) => [index ? ", " : "", name(player), ` ${number}`])))));
}

export const CHARTS = { faces, board, colours, people: (rows) => pairs(rows, "times"), duels: (rows) => pairs(rows, "won"), streaks, caught };
