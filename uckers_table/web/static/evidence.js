// What an accusation rests on, drawn: over a picture that is cut to it, or over a drawn board.

import { capital, clock, el, get, svg } from "./common.js";

const BASE = 0, DOORSTEP = 1;
// The least height of a number on a picture: what is read at arm's length.
const LEAST_PX = 13;
export const ALTS = { before: "The last board that was right", after: "The board that was judged", marked: "The board that was judged, the difference marked" };
export const howLikely = (odds) => odds < 1.5 ? "as likely" : `${(odds < 10 ? Math.round(odds * 10) / 10 : Math.round(odds)).toLocaleString("en-GB")} times less likely`;

const key = (colour, steps) => `${colour} ${steps}`;

// Where things are on a picture of the table, as the table says: `at` the middle of a place, `side` of its square.
class OnPicture {
  constructor({ size, places }) {
    this.size = size;
    this.places = new Map(places.map((each) => [key(each.colour, each.steps), each]));
  }

  has(colour, steps) { return this.places.has(key(colour, steps)); }
  at(colour, steps) { return this.places.get(key(colour, steps)).at; }
  corners(colour, steps) { return this.places.get(key(colour, steps)).corners; }
  side(colour, steps) {
    const [[ax, ay], [bx, by], [cx, cy]] = this.corners(colour, steps);
    return (Math.hypot(bx - ax, by - ay) + Math.hypot(cx - bx, cy - by)) / 2;
  }
}

// The same on a drawn board.
class OnBoard {
  constructor(view) { this.view = view; }
  has(colour, steps) { return steps in this.view.plan.places[colour]; }
  at(colour, steps) { return this.view.spot(colour, steps).slice(0, 2); }
  corners(colour, steps) {
    const [x, y, degrees] = this.view.spot(colour, steps), turned = degrees * Math.PI / 180;
    return [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([u, v]) => [x + u * Math.cos(turned) - v * Math.sin(turned), y + u * Math.sin(turned) + v * Math.cos(turned)]);
  }
  side() { return 1; }
}

const line = (points) => points.map((point) => point.join(",")).join(" ");
const twice = (tag, kind, attributes) => ["under", kind].map((each) => svg(tag, { class: `${kind.split(" ")[0]} ${each}`, ...attributes }));

// A ring where each piece stood, broken, and one where it went, whole: so that they differ without their colours.
function rings(on, { colour, from, to }) {
  const ring = (steps, kind) => {
    if (!on.has(colour, steps)) return [];
    const [cx, cy] = on.at(colour, steps);
    return twice("circle", `ring ${kind}`, { cx, cy, r: on.side(colour, steps) * 0.62 });
  };
  return [...ring(from, "from"), ...ring(to, "to")];
}

// The way, and then its squares counted. A number lies in its square's corner, and hides no piece.
function way(on, { colour, from, way: steps }) {
  const points = [from, ...(from === BASE ? [DOORSTEP] : []), ...steps].filter((each) => on.has(colour, each)).map((each) => on.at(colour, each));
  return steps.length ? twice("polyline", "way counted-way", { points: line(points) }) : [];
}

// `least`: the least height of a number.
function numbers(on, { colour, way: steps }, least) {
  return [...steps.entries()].filter(([, step]) => on.has(colour, step)).map(([n, step]) => {
    const [x, y] = on.at(colour, step), [cornerX, cornerY] = on.corners(colour, step)[0];
    const height = Math.max(on.side(colour, step) * 0.34, least), far = 0.6;
    return svg("g", { class: "number", transform: `translate(${x + (cornerX - x) * far} ${y + (cornerY - y) * far})`, "font-size": height }, svg("circle", { r: height * 0.62 }), svg("text", {}, String(n + 1)));
  });
}

const lit = (on, legal) => legal.filter(({ colour, steps }) => on.has(colour, steps)).flatMap(({ colour, steps }) => twice("polygon", "legal lit", { points: line(on.corners(colour, steps)) }));

export function drawn(on, { moves, legal }, least) {
  return [...lit(on, legal || []), ...moves.flatMap((move) => way(on, move)), ...moves.flatMap((move) => rings(on, move)), ...moves.flatMap((move) => numbers(on, move, least))];
}

export const drawnOnBoard = (view, accused) => view.root.append(svg("g", { class: "counted", "aria-hidden": "true" }, drawn(new OnBoard(view), accused, 0.42)));

// The same in words, a line each.
export function inSentences({ moves, legal }, plan) {
  const where = (colour, steps) => { const words = plan.words[colour][steps]; return words.charAt(0).toLowerCase() + words.slice(1); };
  const counted = ({ colour, from, to, way: steps }) => {
    const squares = steps.length ? `, counted: ${steps.length === 1 ? "1 square" : `${steps.length} squares`}${from > to && steps[0] === from - 1 ? " back" : ""}` : "";
    return `${capital(colour)}, from ${where(colour, from)} to ${where(colour, to)}${squares}.`;
  };
  const allowed = legal && (legal.length ? `Lit, where the dice allowed it: ${legal.map(({ colour, steps }) => where(colour, steps)).join("; ")}.` : "The dice allowed it nowhere.");
  return [...moves.map(counted), ...(allowed ? [allowed] : [])];
}

// The pictures of a ruling: each is fetched once. What
// cannot be cut is shown whole; what cannot be shown at all throws one line.
export class Pictures {
  constructor(match, number) { this.address = `/api/matches/${match}/${number}`; this.kept = new Map(); }

  get(what) {
    if (!this.kept.has(what)) this.kept.set(what, this.fetched(what).catch((error) => { this.kept.delete(what); throw error; }));
    return this.kept.get(what);
  }

  async fetched(what) {
    const places = await get(`${this.address}/close/${what}`);
    const address = `${this.address}/close/${what}.jpg`;
    return { image: await decoded(address), on: places && new OnPicture(places), address };
  }
}

// A picture with what was counted over it, and the button under it that goes from after to before and back.
export class Flipped {
  constructor(match, number, { ruling, taken, accused }) {
    Object.assign(this, { ruling, taken, accused, pictures: new Pictures(match, number), showing: 0 });
    this.kinds = ["after", "before"].filter((what) => ruling.evidence.includes(what));
    this.isAny = this.kinds.length > 0;
    [this.what] = this.kinds;
    this.button = el("button", { type: "button", class: "flip", onclick: () => this.flip() });
    this.image = el("img", { alt: "", hidden: true });
    this.over = svg("svg", { class: "counted", "aria-hidden": "true" });
    this.frame = el("div", { class: "close-up", onclick: () => this.flip() }, this.image, this.over);
    this.time = el("p", { class: "meta", "aria-live": "polite" });
    this.button.hidden = this.kinds.length < 2;
    this.root = el("div", { class: "flipped" }, this.frame, this.button, this.time);
  }

  flip() {
    if (this.kinds.length < 2) return;
    this.what = this.kinds.find((kind) => kind !== this.what);
    this.flipped();
  }

  flipped() { this.show(); }

  // The other is there by the time a thumb asks for it.
  async show(finding = this.pictures.get(this.what), alt = ALTS[this.what]) {
    const { what } = this, other = this.kinds.find((kind) => kind !== what);
    this.button.textContent = `Show the board ${other}`;
    const time = `${capital(what)}, at ${clock(this.taken[what] ?? this.ruling.t)}`;
    await this.paint(finding, alt, time);
    if (other) this.pictures.get(other).catch(() => {});
  }

  // Shows what is found last, whichever comes first.
  async paint(finding, alt, time) {
    const mine = this.showing += 1;
    const found = await finding.catch((error) => ({ error }));
    if (mine !== this.showing) return;
    const { image, on = null, address, error } = found;
    this.image.hidden = Boolean(error);
    this.time.textContent = error ? capital(error.message).replace(/\.?$/, ".") : time;
    this.over.replaceChildren();
    if (error) return;
    const { naturalWidth: width, naturalHeight: height } = image;
    Object.assign(this.image, { src: image.src, alt });
    this.address = address;
    this.root.style.setProperty("--aspect", width / height);
    this.over.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (on) this.over.replaceChildren(...drawn(on, this.accused, LEAST_PX * width / (this.frame.clientWidth || width)));
  }
}

// An image that is there to be shown; one line where it is none.
export async function decoded(address) {
  const image = new Image();
  image.src = address;
  try { await image.decode(); } catch {
    const response = await fetch(address).catch(() => null);
    if (response && !response.ok) throw new Error((await response.json()).line);
    throw new Error(response ? "This picture is torn." : "The table does not answer.");
  }
  return image;
}
