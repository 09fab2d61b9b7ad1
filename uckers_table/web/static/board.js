// Draws a board from its plan and a position, for looking at and for pointing into. Where everything lies is the plan's.

import { svg, cards, get, capital } from "./common.js";

const plans = new Map();
export function planOf(address) {
  if (!plans.has(address)) plans.set(address, get(address).catch((error) => { plans.delete(address); throw error; }));
  return plans.get(address);
}

const LIGHT = new Set(["yellow", "white"]);
const KNOWN = new Set(["red", "green", "yellow", "blue", "white", "black"]);
const painted = (colour) => (colour === null ? {} : KNOWN.has(colour) ? { class: `c-${colour}` } : { fill: colour });
const BASE = 0, ROOM = 0.2, ROOM_FOR_LETTER = 0.9;

export class BoardView {
  // `picked(colour, steps)` is called for a piece that may be picked, `placed(colour, steps)` for a target.
  constructor(root, plan, seats, { picked = null, placed = null } = {}) {
    Object.assign(this, { root, plan, seats, picked, placed, turn: 0 });
    const [width, height] = plan.size.map((side) => side + 2 * ROOM);
    root.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
    root.style.setProperty("--aspect", width / height);
  }

  // A place, or a point, once the board is turned as people sit.
  at([x, y, angle = 0]) {
    const degrees = (this.turn % this.plan.arms) * 360 / this.plan.arms, turned = degrees * Math.PI / 180;
    const round = (number) => Math.round(number * 1000) / 1000;
    return [round(x * Math.cos(turned) - y * Math.sin(turned)), round(x * Math.sin(turned) + y * Math.cos(turned)), (angle + degrees) % 360];
  }

  spot(colour, steps, index = 0) {
    const place = this.plan.places[colour][steps];
    return this.at(steps === BASE ? place[index % place.length] : place);
  }

  // `may(colour, steps)` says what can be picked, `targets` are [{colour, steps, faint}], `moved` places [{colour, steps}].
  show(position, { toPlay = null, may = () => false, chosen = null, targets = [], moved = [] } = {}) {
    const focused = document.activeElement?.closest?.(".board") === this.root ? document.activeElement.dataset.key : null;
    this.root.replaceChildren(...this.ground(toPlay), ...this.marks(moved), ...this.pieces(position, may, chosen), ...this.targets(targets));
    if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  square([x, y, angle], size, attributes) {
    return svg("rect", { x: -size / 2, y: -size / 2, width: size, height: size, transform: `translate(${x} ${y}) rotate(${angle})`, ...attributes });
  }

  shape(corners, attributes) {
    return svg("polygon", { points: corners.map((corner) => this.at(corner).slice(0, 2).join(",")).join(" "), ...attributes });
  }

  ground(toPlay) {
    const { plan, seats } = this;
    const drawn = [this.shape(plan.edge, { class: "wood" })];
    seats.forEach((colour, seat) => {
      const paint = painted(colour), [x, y] = this.at(plan.base_middles[seat]);
      drawn.push(this.shape(plan.bases[seat], { ...paint, class: `base-field ${paint.class || ""}` }), this.shape(plan.inner_bases[seat], { class: "base-inner" }));
      // In a small base it would lie under the pieces.
      const [spotX, spotY] = this.spot(colour, BASE);
      if (Math.hypot(spotX - x, spotY - y) > ROOM_FOR_LETTER) drawn.push(svg("text", { class: "count", x, y }, plan.letters[colour]));
      drawn.push(this.shape(plan.homes[seat], { ...paint, class: `square ${paint.class || ""}` }));
    });
    for (const { place, colour } of plan.squares) {
      const paint = painted(colour);
      drawn.push(this.square(this.at(place), 1, { ...paint, class: `square ${paint.class || ""}` }));
    }
    if (seats.includes(toPlay)) drawn.push(this.shape(plan.bases[seats.indexOf(toPlay)], { class: "to-play" }));
    return drawn;
  }

  marks(moved) {
    return moved.filter(({ steps }) => steps !== BASE && steps !== this.plan.home).map(({ colour, steps }) => this.square(this.spot(colour, steps), 0.94, { class: "moved", rx: 0.12 }));
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
    const letter = this.plan.letters[colour] + (count > 1 ? count : "");
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
      const place = steps === BASE ? this.at(this.plan.base_middles[this.seats.indexOf(colour)]) : this.spot(colour, steps);
      const target = this.square(place, steps === BASE ? 2.4 : 0.98, { class: faint ? "target faint" : "target", rx: 0.15, tabindex: 0, role: "button", "aria-label": `To ${this.plan.words[colour][steps]}`, "data-key": `to ${steps}`, "data-to": steps });
      pressable(target, () => this.placed?.(colour, steps));
      return target;
    });
  }
}

function disc(colour, r, below) {
  const paint = painted(colour);
  return svg("circle", { r, cy: below, ...paint, class: `disc ${paint.class || ""}` });
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
    const cells = [String(steps.filter((step) => step === 0).length), away.join("; ") || "–", String(steps.filter((step) => step === plan.home).length)];
    return [capital(colour) + (names[colour] ? ` (${names[colour]})` : ""), ...cells];
  };
  return cards("The board", ["Colour", "In base", "On the way", "Home"], seats.map(row));
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
