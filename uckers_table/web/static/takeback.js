// "Take back" says what it takes back before it does. What was taken back can be put back.

import { ask, capital, choose, el, tell } from "./common.js";

const button = (label, pressed, kind) => el("button", { type: "button", class: kind, onclick: pressed }, label);
const takeBack = (matter) => ask({ do: "take_back", number: matter.number });
const leave = () => ask({ do: "ask_back", number: null });

// On the phone that asks, a dialog does; nothing else moves on its page.
let isAsking = false;

// Asks what is to be taken back: the last ruling, or the last throw that was read after it. The display asks too.
export async function askWhatToTakeBack({ take_back = [] }) {
  const [matter, other] = take_back;
  if (!matter) { tell("There is nothing to take back."); return; }
  isAsking = true;
  if (!(await ask({ do: "ask_back", number: matter.number }))) { isAsking = false; return; }
  const chosen = await choose(`Take back: ${matter.words}?`,
    [["Take it back", matter, "danger"], ...(other ? [[`${capital(other.words)} instead`, other]] : [])], { no: "Leave it", words: matter.stays });
  await (chosen ? takeBack(chosen) : leave());
  isAsking = false;
}

// The button that puts back what was taken back last; none where nothing was.
export const putBackButtons = ({ put_back }) => (put_back ? [button(`Put back: ${put_back}`, () => ask({ do: "put_back" }))] : []);

// What the box, or another phone, asks about: its words and the answers. Null where nothing is asked.
export function askedToTakeBack({ take_back = [], asks_back }) {
  const matter = take_back.find((one) => one.number === asks_back);
  if (!matter || isAsking) return null;
  return { words: [`${capital(matter.words)}?`, matter.stays].filter(Boolean).join(" "), buttons: () => [button("Take it back", () => takeBack(matter), "danger"), button("Leave it", leave)] };
}
