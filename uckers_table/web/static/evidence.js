// What an accusation rests on, drawn: over a picture that is cut to it, or over a drawn board.

import { get, svg } from "./common.js";

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

// A ring where each piece stood, broken, and one where it went, whole: so that they differ without their colours.
function rings(on, moves) {
  const ring = (colour, steps, kind) => {
    if (!on.has(colour, steps)) return [];
    const [cx, cy] = on.at(colour, steps), r = on.side(colour, steps) * 0.62;
    return ["under", kind].map((each) => svg("circle", { class: `ring ${each}`, cx, cy, r }));
  };
  return moves.flatMap(({ colour, from, to }) => [...ring(colour, from, "from"), ...ring(colour, to, "to")]);
}

export function drawn(on, accused) {
  return rings(on, accused.moves);
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
    const address = places ? `${this.address}/close/${what}.jpg` : `${this.address}/${what}.jpg`;
    return { image: await decoded(address), on: places && new OnPicture(places), address };
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
