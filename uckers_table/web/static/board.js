// Draws a board of four arms from its plan and a position, for looking at and for pointing into.

import { svg, el, get, capital } from "./common.js";

const plans = new Map();
export function planOf(seats) {
  const key = seats.join(",");
  if (!plans.has(key)) plans.set(key, get(`/api/plan?seats=${encodeURIComponent(key)}`));
  return plans.get(key);
}

const LIGHT = new Set(["yellow", "white"]);
const KNOWN = new Set(["red", "green", "yellow", "blue", "white", "black"]);
const painted = (colour) => (KNOWN.has(colour) ? { class: `c-${colour}` } : { fill: colour });
const BASE = 0;

export class BoardView {
  // `picked(colour, steps)` is called for a piece that may be picked, `placed(colour, steps)` for a target.
  constructor(root, plan, seats, { picked = null, placed = null } = {}) {
    Object.assign(this, { root, plan, seats, picked, placed, turn: 0 });
    root.setAttribute("viewBox", `-0.7 -0.7 ${plan.cells + 0.4} ${plan.cells + 0.4}`);
  }

  at([x, y]) {
    const last = this.plan.cells - 1;
    for (let quarter = 0; quarter < this.turn; quarter += 1) [x, y] = [last - y, x];
    return [x, y];
  }

  spot(colour, steps, index = 0) {
    const seat = this.seats.indexOf(colour);
    if (steps === BASE) return this.at(this.plan.bases[seat][index % 4]);
    if (steps === this.plan.home) return this.at(this.plan.homes[seat]);
    return this.at(this.plan.steps[colour][steps]);
  }

  // `may(colour, steps)` says what can be picked, `targets` are [{colour, steps, faint}], `moved` places [{colour, steps}].
  show(position, { toPlay = null, may = () => false, chosen = null, targets = [], moved = [] } = {}) {
    const focused = document.activeElement?.closest?.(".board") === this.root ? document.activeElement.dataset.key : null;
    this.root.replaceChildren(...this.ground(toPlay), ...this.marks(moved), ...this.pieces(position, may, chosen), ...this.targets(targets));
    if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  cell(cell, attributes) {
    const [x, y] = this.at(cell);
    return svg("rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, ...attributes, class: `square ${attributes?.class || ""}` });
  }

  ground(toPlay) {
    const { plan, seats } = this;
    const last = plan.cells - 1, arm = plan.arm;
    const drawn = [svg("rect", { class: "wood", x: -0.65, y: -0.65, width: plan.cells + 0.3, height: plan.cells + 0.3, rx: 0.3 })];
    seats.forEach((colour, seat) => {
      const middle = this.at([[arm / 2 - 0.5, arm / 2 - 0.5], [last - arm / 2 + 0.5, arm / 2 - 0.5], [last - arm / 2 + 0.5, last - arm / 2 + 0.5], [arm / 2 - 0.5, last - arm / 2 + 0.5]][seat]);
      const rect = (size, attributes) => svg("rect", { x: middle[0] - size / 2, y: middle[1] - size / 2, width: size, height: size, ...attributes });
      const paint = painted(colour);
      drawn.push(rect(arm - 0.15, { ...paint, class: `base-field ${paint.class || ""}`, rx: 0.3 }), rect(arm - 2, { class: "base-inner", rx: 0.5 }));
      if (colour === toPlay) drawn.push(rect(arm - 0.3, { class: "to-play", rx: 0.3 }));
      drawn.push(svg("text", { class: "count", x: middle[0], y: middle[1] }, this.seats[seat].charAt(0).toUpperCase()));
    });
    plan.track.forEach((cell, square) => {
      const owner = plan.doorsteps.indexOf(square);
      drawn.push(this.cell(cell, owner >= 0 ? painted(seats[owner]) : {}));
    });
    plan.chutes.forEach((cells, seat) => cells.forEach((cell) => drawn.push(this.cell(cell, painted(seats[seat])))));
    const centre = this.at([last / 2, last / 2]), half = 1.5;
    seats.forEach((colour, seat) => {
      const [x, y] = this.at(plan.homes[seat]);
      const out = Math.abs(x - centre[0]) > Math.abs(y - centre[1]) ? [[Math.sign(x - centre[0]), -1], [Math.sign(x - centre[0]), 1]] : [[-1, Math.sign(y - centre[1])], [1, Math.sign(y - centre[1])]];
      const points = [centre, ...out.map(([dx, dy]) => [centre[0] + half * dx, centre[1] + half * dy])].map((point) => point.join(",")).join(" ");
      const paint = painted(colour);
      drawn.push(svg("polygon", { points, ...paint, class: `square ${paint.class || ""}` }));
    });
    return drawn;
  }

  marks(moved) {
    return moved.filter(({ steps }) => steps !== BASE && steps !== this.plan.home).map(({ colour, steps }) => {
      const [x, y] = this.spot(colour, steps);
      return svg("rect", { class: "moved", x: x - 0.47, y: y - 0.47, width: 0.94, height: 0.94, rx: 0.12 });
    });
  }

  pieces(position, may, chosen) {
    // What stands together is drawn together: each colour of it once, with how many there are.
    const places = new Map();
    for (const colour of this.seats) {
      [...position[colour]].sort((a, b) => a - b).forEach((steps, index) => {
        const inBase = steps === BASE ? [...position[colour]].sort((a, b) => a - b).slice(0, index).filter((each) => each === BASE).length : 0;
        const spot = this.spot(colour, steps, inBase);
        const key = spot.join(",");
        if (!places.has(key)) places.set(key, { spot, groups: [] });
        const { groups } = places.get(key);
        const group = groups.find((each) => each.colour === colour);
        if (group) group.count += 1; else groups.push({ colour, steps, count: 1 });
      });
    }
    return [...places.values()].flatMap(({ spot, groups }) => groups.map((group, index) => this.piece(group, this.within(spot, groups.length, index), groups.length, may, chosen)));
  }

  within([x, y], of, index) {
    if (of === 1) return [x, y];
    if (of === 2) return [x + (index ? 0.22 : -0.22), y + (index ? 0.22 : -0.22)];
    return [x + (index % 2 ? 0.26 : -0.26), y + (index > 1 ? 0.26 : -0.26)];
  }

  piece({ colour, steps, count }, [x, y], of, may, chosen) {
    const isOpen = may(colour, steps), isChosen = chosen && chosen.colour === colour && chosen.steps === steps;
    const r = of === 1 ? 0.44 : of === 2 ? 0.36 : 0.29;
    const where = this.plan.words[colour][steps];
    const label = `${count > 1 ? `${count} ${colour} pieces` : `${capital(colour)} piece`}, ${where.charAt(0).toLowerCase()}${where.slice(1)}`;
    const letter = colour.charAt(0).toUpperCase() + (count > 1 ? count : "");
    const group = svg("g", {
      class: `piece${LIGHT.has(colour) ? " on-light" : ""}${isOpen ? " may" : ""}${isChosen ? " picked" : ""}`,
      transform: `translate(${x} ${y})`, "data-key": `${colour} ${steps} ${x} ${y}`, "data-colour": colour, "data-steps": steps,
      ...(isOpen ? { tabindex: 0, role: "button", "aria-label": label, "aria-pressed": String(Boolean(isChosen)) } : { role: "img", "aria-label": label }),
    }, svg("circle", { r: r + 0.08, class: "halo" }),
      // What lies under is seen below the top, as on the board.
      count > 1 ? disc(colour, r, 0.1) : null, disc(colour, r, 0), svg("text", { y: 0.02 }, letter));
    group.querySelector("text").style.fontSize = `${(count > 1 ? 0.54 : 0.6) * (r / 0.44)}px`;
    if (isOpen) pressable(group, () => this.picked?.(colour, steps));
    return group;
  }

  targets(targets) {
    return targets.map(({ colour, steps, faint = false }) => {
      const [x, y] = steps === BASE ? this.at(middleOf(this.plan.bases[this.seats.indexOf(colour)])) : this.spot(colour, steps);
      const size = steps === BASE ? 2.4 : 0.98;
      const target = svg("rect", { class: faint ? "target faint" : "target", x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 0.15, tabindex: 0, role: "button", "aria-label": `To ${this.plan.words[colour][steps]}`, "data-key": `to ${steps}`, "data-to": steps });
      pressable(target, () => this.placed?.(colour, steps));
      return target;
    });
  }
}

function disc(colour, r, below) {
  const paint = painted(colour);
  return svg("circle", { r, cy: below, ...paint, class: `disc ${paint.class || ""}` });
}

function middleOf(points) {
  const sum = points.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

function pressable(node, pressed) {
  node.addEventListener("click", pressed);
  node.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pressed(); } });
}

// The position as a table, for those who listen to it.
export function inWords(position, seats, plan, names = {}) {
  const row = (colour) => {
    const steps = [...position[colour]].sort((a, b) => a - b);
    const away = steps.filter((step) => step !== 0 && step !== plan.home).map((step) => plan.words[colour][step]);
    return el("tr", {}, el("th", { scope: "row" }, capital(colour) + (names[colour] ? ` (${names[colour]})` : "")),
      el("td", {}, String(steps.filter((step) => step === 0).length)), el("td", {}, away.join("; ") || "–"), el("td", {}, String(steps.filter((step) => step === plan.home).length)));
  };
  return el("table", {}, el("thead", {}, el("tr", {}, ["Colour", "In base", "On the way", "Home"].map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, seats.map(row)));
}

// The places where two positions differ: where pieces came from and went to.
export function movedBetween(before, after, seats) {
  const places = [];
  for (const colour of seats) {
    const left = [...(before?.[colour] || after[colour])];
    for (const steps of after[colour]) { const at = left.indexOf(steps); if (at >= 0) left.splice(at, 1); else places.push({ colour, steps }); }
    for (const steps of left) places.push({ colour, steps });
  }
  return places;
}

export function playWords(moves, plan) {
  return moves.map(({ colour, from, to }) => `${colour} from ${lower(plan.words[colour][from])} to ${lower(plan.words[colour][to])}`).join("; ");
}
const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);
