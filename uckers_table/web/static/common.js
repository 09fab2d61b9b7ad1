// What every page has: the bar on top, the themes, the PIN, and the way to the table.

export const COLOURS = ["red", "green", "yellow", "blue", "white", "black"];
const PAGES = [["/", "Live"], ["/new", "New match"], ["/setup", "Set up"], ["/devices", "Devices"], ["/matches", "Matches"], ["/statistics", "Statistics"], ["/honours", "Back of the board"], ["/wall", "On the wall"], ["/calibrate", "Calibrate"], ["/health", "Health"]];
const THEMES = [["auto", "As the phone has it"], ["light", "Light"], ["dark", "Dark"], ["night", "Night red"]];
const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const words = (name) => name.replaceAll("_", " ");
// What the table answers, as a sentence.
export const sentence = (line) => (/[.!?…”]$/.test(line) ? capital(line) : `${capital(line)}.`);
// A button for each colour, with room between them.
export const colourButtons = (colours, press) => colours.flatMap((colour) => [el("button", { type: "button", onclick: () => press(colour) }, capital(colour)), " "]);

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}
export const el = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

// What the table is asked for. It answers, it refuses in a line, or it does not answer: the line may break off half way.
class NoAnswerError extends Error {}
const noAnswer = () => { throw new NoAnswerError("The table does not answer."); };
export async function get(address) {
  const response = await fetch(address, { headers: { accept: "application/json" } }).catch(noAnswer);
  if (response.ok) return response.json().catch(noAnswer);
  const { line } = await response.json().catch(() => ({ line: "The table answered something that is not understood." }));
  throw new Error(sentence(line));
}

// Gives up what is fetched after this many milliseconds. AbortSignal.timeout does the same: phones that stay at iOS 15
// have none.
function within(ms) {
  const giving = new AbortController();
  setTimeout(() => giving.abort(), ms);
  return giving.signal;
}

// Nothing that is asked is waited for longer than this: the table itself drops a press that is five seconds old.
const PRESS_MS = 8_000;
async function post(address, data) {
  const response = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data), signal: within(PRESS_MS) });
  return { status: response.status, ...(await response.json().catch(() => ({}))) };
}

// A line of what has just happened. It lies under the bar on top, over what is there, and moves nothing.
let toastTimer = 0;
export function tell(line, isBad = false, { stays = false } = {}) {
  document.querySelector(".toast")?.remove();
  if (!line) return;
  document.querySelector(".top").append(el("p", { class: isBad ? "toast bad" : "toast", role: isBad ? "alert" : "status" }, line));
  clearTimeout(toastTimer);
  if (!stays) toastTimer = setTimeout(() => document.querySelector(".toast")?.remove(), isBad ? 8000 : 4000);
}

let mayChange = false;
function showLock() {
  const button = $("lock");
  button.textContent = mayChange ? "Lock" : "PIN";
  button.setAttribute("aria-label", mayChange ? "Lock: change nothing from this phone any more" : "Show the PIN, to change things from this phone");
}

// Shows the table a PIN. What it answers: whether this phone may change things now, or a line that says why not.
async function showPin(pin) {
  const answer = await post("/api/pin", { pin }).catch(() => ({ line: "The table does not answer." }));
  if (!answer.may_change) return answer;
  mayChange = true;
  showLock();
  // A table with no clock battery and no network learns the date from whoever has the PIN.
  await post("/api/do", { do: "clock", unix_s: Math.floor(Date.now() / 1000) }).catch(() => {});
  return answer;
}

// A phone that came by another's QR code has the PIN in its address, which no server is sent, and which does not stay.
async function comeIn() {
  const pin = /^#pin=([0-9]+)$/.exec(location.hash)?.[1];
  if (!pin) return;
  history.replaceState(null, "", location.pathname + location.search);
  const { may_change, line } = await showPin(pin);
  tell(may_change ? "This phone is in." : line, !may_change);
}

// The QR code by which another phone comes in. Whoever has the PIN may show it.
async function letIn() {
  if (!mayChange && !(await askPin())) return;
  const dialog = el("dialog", { "aria-labelledby": "invitation-title" }, el("h2", { id: "invitation-title" }, "Let another phone in"),
    el("p", { id: "invitation-line", role: "alert" }), el("span", { class: "shot" }, el("img", { class: "code", src: "/api/invitation.svg", alt: "QR code: this page’s address, with the PIN", onerror: noCode })),
    el("p", {}, "Point the other phone’s camera at it. Both phones are on the same network. Whoever sees the code can change things, as you can."),
    el("div", { class: "buttons" }, el("button", { type: "button", class: "first", autofocus: true, onclick: () => dialog.close() }, "Close")));
  const opener = document.activeElement;
  dialog.addEventListener("close", () => { dialog.remove(); opener?.focus?.(); });
  document.body.append(dialog);
  dialog.showModal();
}
async function noCode(event) {
  event.target.parentNode.remove();
  $("invitation-line").textContent = await get("/api/invitation.svg").then(() => "The table does not answer.", (error) => error.message);
}

const PIN_WHERE = "It shows them while no match is on. At any time: hold the cocked/dropped button on the table for three seconds.";
function askPin() {
  return new Promise((resolve) => {
    const input = el("input", { class: "pin", id: "pin", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 13, pattern: "[0-9]{6}( ?[0-9]{6})?", required: true, "aria-describedby": "pin-line" });
    const line = el("p", { id: "pin-line", role: "alert" });
    const form = el("form", {}, el("h2", { id: "pin-title" }, "PIN"), el("p", {}, el("label", { for: "pin" }, "Six digits, or twelve, on the table’s display.")), el("p", { class: "meta" }, PIN_WHERE), input, line,
      el("div", { class: "buttons" }, el("button", { class: "first", type: "submit" }, "Go on"), el("button", { type: "button", onclick: () => dialog.close() }, "Only watch")));
    const dialog = el("dialog", { "aria-labelledby": "pin-title" }, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const answer = await showPin(input.value.replaceAll(" ", ""));
      if (answer.may_change) { dialog.close(); return; }
      line.textContent = answer.line;
      input.select();
    });
    dialog.addEventListener("close", () => { dialog.remove(); resolve(mayChange); });
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}

// The button that somebody pressed last, which shows that its press is on its way. Those of a dialog close it, and
// what it was opened by shows that instead. While one waits for an answer, another press of it does nothing.
let pressed = null;
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (button?.getAttribute("aria-busy") === "true") { event.preventDefault(); event.stopPropagation(); } else if (!button?.closest("dialog")) pressed = button;
}, true);

// Asks the table for something; whether it was done. The PIN is asked for when it is needed. What the match is at
// goes with it, and when it was pressed: what the table comes to too late, or after somebody else, it does not do.
// `of` is an older `moment()` where people were asked something about it meanwhile.
export async function ask(command, { quiet = false, of = moment() } = {}) {
  const button = pressed;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (isLost) { tell(state.leaving || "No line to the table: nothing was done.", true); return false; }
    if (!mayChange && !(await askPin())) return false;
    let answer;
    button?.setAttribute("aria-busy", "true");
    try { answer = await post("/api/do", { ...command, of, at: tableTime() }); } catch (error) {
      tell(error.name === "AbortError" ? "Your press took too long and was dropped: press again." : "The table does not answer: press again.", true);
      return false;
    } finally { button?.removeAttribute("aria-busy"); }
    if (answer.status === 401) { mayChange = false; showLock(); continue; }
    if (!answer.is_done || answer.line) { if (!(quiet && answer.is_done)) tell(sentence(answer.line || "That was not done."), !answer.is_done); }
    return Boolean(answer.is_done);
  }
  return false;
}

// Asks which of some answers it is, each [label, value, kind]: the value, or null for `no`, Escape or the phone's way
// back. The keyboard, and whoever presses too fast, begins at `no`, the harmless one.
export function choose(question, answers, { no, words = "" }) {
  return new Promise((resolve) => {
    let chosen = null;
    const opener = document.activeElement;
    const answer = (label, value, attributes) => el("button", { type: "button", onclick: () => { chosen = value; dialog.close(); }, ...attributes }, label);
    const dialog = el("dialog", { class: "sure", role: "alertdialog", "aria-labelledby": "sure-question", "aria-describedby": words ? "sure-words" : null }, el("h2", { id: "sure-question" }, question), words ? el("p", { id: "sure-words" }, words) : null,
      el("div", { class: "buttons" }, answer(no, null, { autofocus: true }), answers.map(([label, value, kind]) => answer(label, value, { class: kind }))));
    dialog.addEventListener("close", () => { dialog.remove(); opener?.focus?.(); resolve(chosen); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// Asks before what cannot be given back, in words that say what each answer does. Whether the answer was yes.
export const sure = async (question, { yes, no, words }) => Boolean(await choose(question, [[yes, true, "danger"]], { no, words }));

// A piece of a colour, beside the colour's name.
export function chip(colour) {
  return svg("svg", { class: "chip board", viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true" }, svg("g", { class: "piece" }, svg("circle", { r: 0.44, class: `disc c-${colour}` })));
}

function themed(name) {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem("theme", name); } catch { /* A browser that keeps nothing. */ }
}

// Pictures in nothing but red, for the night theme.
function redFilter() {
  const values = "0.30 0.54 0.16 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 1 0";
  return svg("svg", { width: 0, height: 0, "aria-hidden": "true", class: "for-readers" }, svg("filter", { id: "night-red", "color-interpolation-filters": "sRGB" }, svg("feColorMatrix", { values })));
}

function bar() {
  const here = document.body.dataset.page;
  const links = PAGES.map(([address, name]) => el("a", { href: address, "aria-current": address === location.pathname ? "page" : null }, name));
  const theme = el("select", { id: "theme", "aria-label": "Theme", onchange: (event) => themed(event.target.value) },
    THEMES.map(([name, label]) => el("option", { value: name, selected: name === document.documentElement.dataset.theme }, label)));
  const menu = el("details", { class: "menu" }, el("summary", {}, "Menu"), el("nav", { "aria-label": "Pages" }, links, el("p", {}, theme), el("p", {}, el("button", { type: "button", onclick: letIn }, "Let another phone in"))));
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; menu.firstChild.focus(); } });
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  const lock = el("button", { id: "lock", type: "button", onclick: async () => {
    if (!mayChange) { await askPin(); return; }
    await post("/api/lock", {});
    mayChange = false; showLock(); tell("Locked. This phone only watches now.");
  } }, "PIN");
  document.body.prepend(
    el("a", { class: "skip", href: "#main" }, "To the page itself"),
    el("header", { class: "top" }, el("a", { class: "name", href: "/" }, "Uckers table"), lock, menu,
      el("p", { id: "line", class: "line bad", role: "alert", hidden: true }), el("p", { id: "newer", class: "line", role: "status", hidden: true })),
    redFilter(),
  );
  // Where a page has no place of its own for it, it stands at the lower edge: what comes later moves nothing.
  if (!$("reminders")) $("main").after(el("section", { id: "reminders", class: "reminders", "aria-label": "What you should know", "aria-live": "assertive" }));
  showLock();
  // A PIN that was shown meanwhile counts.
  comeIn();
  addEventListener("hashchange", comeIn);
  if (here) get("/api/me").then((me) => { mayChange = mayChange || me.may_change; showLock(); }).catch(() => {});
}
bar();

// What waits until somebody has seen it. What stands there stays as it is: a finger may be on it.
function showReminders(reminders) {
  const list = $("reminders"), wanted = new Set(reminders.map((each) => String(each.number)));
  const held = document.activeElement?.closest("#reminders > *");
  for (const item of [...list.children]) if (!wanted.has(item.dataset.number)) item.remove();
  for (const { number, title, sentence, offer } of reminders) {
    if (list.querySelector(`[data-number="${number}"]`)) continue;
    const again = offer === "match" ? "Go on" : "Try again";
    list.append(el("div", { class: "card", "data-number": number }, el("p", {}, el("strong", {}, title), " ", sentence),
      el("div", { class: "buttons" },
        offer ? el("button", { type: "button", class: "first", "aria-label": `${again}: the ${offer}`, onclick: () => ask({ do: "try_again", part: offer }) }, again) : null,
        offer ? null : el("button", { type: "button", "aria-label": `Seen: ${title}`, onclick: () => ask({ do: "dismiss", number }) }, "Seen"))));
  }
  if (held && !held.isConnected) (list.querySelector("button") || $("main")).focus();
}

// What time it is by the table's clock, which its beats tell: the phone's own may stand still while it sleeps. Of
// all that was heard on this line, what came quickest tells it best.
let ahead = -Infinity;
const now_s = () => performance.now() / 1000;
const tableTime = () => (ahead > -Infinity ? Math.round((now_s() + ahead) * 1000) / 1000 : undefined);

// What the match is at: goes with a command that was meant for it.
export const moment = () => state.moment;

// An old page at a newer table says so. One that nobody touches, a screen on the wall, is loaded anew: once.
const VERSION = document.documentElement.dataset.version;
let isTouched = false;
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => { isTouched = true; }, { once: true });
function compare(version) {
  if (!VERSION || !version || version === VERSION || !$("newer").hidden) return;
  const again = el("button", { type: "button", onclick: () => location.reload() }, "Load it");
  $("newer").replaceChildren("The table has a newer page than this one. ", again);
  $("newer").hidden = false;
  if (isTouched || sessionStorage.getItem("loaded") === version) return;
  sessionStorage.setItem("loaded", version);
  location.reload();
}

const SILENT_MS = 10_000, AGAIN_MS = 3_000;

// The controls of a page are off until it knows the table: an earlier choice would be lost. The page says what it needs
// to know; a page that watches the feed needs the first of it. One fieldset turns all controls off. What a script turns
// off itself stays off. Links, the bar on top and dialogs always work. (`inert` would hide the page from screen readers,
// and phones at iOS 15.4 do not know it.)
// `fetching` is called again while the table does not answer. Where the table refuses, the controls stay off, and the
// page says why.
let unknown = 0;
export async function need(fetching) {
  unknown += 1;
  for (let isThere = false; !isThere;) {
    try { await fetching(); isThere = true; } catch (error) {
      if (!(error instanceof NoAnswerError)) { $("not-yet")?.remove(); throw error; }
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
  }
  unknown -= 1;
  if (unknown) return;
  $("not-yet")?.remove();
  $("controls").disabled = false;
}

// Calls back with the whole state, and the names of what is new in it, whenever the table has something new:
// everybody on a page by one line. A page that nobody looks at lets go of it; when it is back, or the line is,
// all comes again, of which only what has changed meanwhile is new, and the third argument is true. The table sends
// something at least every four seconds: when nothing came for longer than two of its beats may take, the line is
// dead, whatever the phone believes.
const state = {}, watchers = [];
let isLost = false;
export const lineIsLost = () => isLost;
export function watch(changed) {
  watchers.push(changed);
  if (watchers.length > 1) { if (Object.keys(state).length) changed(state, new Set(Object.keys(state)), true); return; }
  let source = null, silence = 0, again = 0, heard = new Date(), told = null;
  need(() => new Promise((resolve) => { told = resolve; }));
  const grey = (is) => {
    isLost = is;
    document.documentElement.toggleAttribute("data-lost", is);
    if (Object.keys(state).length) for (const each of watchers) each(state, new Set());
  };
  // A table that has said why it goes is not missed: what it said last stays to read.
  const write = (line) => {
    if ($("line").textContent !== line) $("line").textContent = line;
    $("line").classList.toggle("bad", line !== state.leaving);
    $("line").hidden = !line;
  };
  const show = (is) => {
    if (is !== isLost) grey(is);
    if (!is && !$("line").hidden && !state.leaving) tell("The line to the table is back.");
    const time = heard.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
    write(state.leaving || (is ? `No line to the table since ${time}. What you see is old.` : ""));
  };
  const hear = () => {
    heard = new Date();
    clearTimeout(silence);
    silence = setTimeout(lose, SILENT_MS);
    show(false);
  };
  const lose = () => {
    source?.close();
    source = null;
    clearTimeout(silence);
    clearTimeout(again);
    again = setTimeout(open, AGAIN_MS);
    show(true);
  };
  const take = (event) => {
    const parts = JSON.parse(event.data);
    const news = new Set(Object.keys(parts).filter((name) => JSON.stringify(parts[name]) !== JSON.stringify(state[name])));
    Object.assign(state, parts);
    hear();
    if (news.has("reminders")) showReminders(state.reminders);
    for (const each of watchers) each(state, news, event.type === "all");
    told();
  };
  const open = () => {
    if (source || document.hidden) return;
    ahead = -Infinity;
    source = new EventSource("/api/feed");
    clearTimeout(silence);
    silence = setTimeout(lose, SILENT_MS);
    source.addEventListener("all", take);
    source.addEventListener("some", take);
    source.addEventListener("beat", (event) => {
      const { at, page } = JSON.parse(event.data);
      ahead = Math.max(ahead, at - now_s());
      hear();
      compare(page);
    });
    source.addEventListener("error", lose);
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      // What was shown when the phone went dark is old until the table has said something: a moment.
      if (new Date() - heard > SILENT_MS) grey(true);
      open();
      return;
    }
    clearTimeout(silence);
    source?.close();
    source = null;
  });
  addEventListener("offline", lose);
  addEventListener("online", open);
  open();
}

// Shows a frame of the camera in an image whenever there is a newer one, as fast as the line takes them.
export function livePicture(image, kind) {
  let wanted = -1, shown = -1, isBusy = false, address = "";
  const next = async () => {
    if (isBusy || wanted === shown || document.hidden) return;
    isBusy = true;
    const getting = wanted;
    try {
      // One that was asked for on a line that broke may never come: the next is asked for all the same.
      const response = await fetch(`/api/picture/${kind}.jpg`, { signal: within(SILENT_MS) });
      if (response.ok) {
        const blob = await response.blob();
        URL.revokeObjectURL(address);
        address = URL.createObjectURL(blob);
        image.src = address;
        image.dataset.frame = response.headers.get("x-frame");
      }
      image.hidden = !response.ok;
    } catch { /* The feed says that the table does not answer. */ }
    shown = getting;
    isBusy = false;
    if (wanted !== shown) setTimeout(next, 300);
  };
  return (frame) => { if (frame !== wanted) { wanted = frame; next(); } };
}

export function clock(t) {
  const seconds = Math.floor(t % 60), minutes = Math.floor(t / 60) % 60, hours = Math.floor(t / 3600);
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

// A table of texts that a phone shows as cards, one a row: nothing lies off the screen. Its roles are written out: what
// is laid out as cards is no table any more to who listens to it.
export function cards(title, heads, rows) {
  const isNumber = (cell) => /^[-+−]?[\d.,%]+$/.test(cell);
  const row = ([name, ...cells]) => el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, name),
    cells.map((cell, at) => el("td", { role: "cell", "data-head": heads[at + 1], class: isNumber(cell) ? "number" : cell.length > 8 ? "long" : null }, cell)));
  return el("table", { class: "cards", role: "table", "aria-label": title },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map((head) => el("th", { scope: "col", role: "columnheader" }, head)))),
    el("tbody", { role: "rowgroup" }, rows.map(row)));
}

// A date as this phone writes dates; what the table did not know, it does not guess.
export function date(iso) {
  return iso ? new Date(iso).toLocaleString([], { dateStyle: "long", timeStyle: "short" }) : "date not known";
}

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
export function die(value) {
  return svg("svg", { class: "die", viewBox: "0 0 60 60", role: "img", "aria-label": String(value) },
    svg("rect", { x: 2, y: 2, width: 56, height: 56, rx: 10 }),
    (PIPS[value] || []).map((place) => svg("circle", { cx: 15 + 15 * (place % 3), cy: 15 + 15 * Math.floor(place / 3), r: 5.5 })));
}
