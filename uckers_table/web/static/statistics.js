// What the matches come to: charts, with their figures beside them, of all matches or of those that are chosen.

import { $, capital, cards, el, get, need, tell } from "./common.js";
import { CHARTS } from "./charts.js";

const FIELDS = ["since", "until", "rules", "name", "other"];
const query = () => new URLSearchParams(FIELDS.filter((id) => $(id).value).map((id) => [id === "other" ? "name" : id, $(id).value]));
let asked = 0;

// An address with a selection in it shows that.
function fromAddress() {
  const chosen = new URLSearchParams(location.search), [name = "", other = ""] = chosen.getAll("name");
  return { since: chosen.get("since") || "", until: chosen.get("until") || "", rules: chosen.get("rules") || "", name, other };
}

function fill(choices, chosen) {
  const options = (values, all) => [el("option", { value: "" }, all), values.map((value) => el("option", { value }, value))].flat();
  $("rules").replaceChildren(...options(choices.rules, "any rules"));
  $("name").replaceChildren(...options(choices.people, "anybody"));
  $("other").replaceChildren(...options(choices.people, "anybody"));
  for (const id of ["since", "until"]) { $(id).min = choices.first; $(id).max = choices.last; }
  for (const id of FIELDS) {
    $(id).value = chosen[id];
    // An address may write a name as nobody else does.
    if ($(id).value !== chosen[id]) { $(id).append(el("option", { value: chosen[id] }, chosen[id])); $(id).value = chosen[id]; }
  }
  say();
}

function say() {
  const { since, until, rules, name, other } = Object.fromEntries(FIELDS.map((id) => [id, $(id).value]));
  const said = [since && `from ${since}`, until && `to ${until}`, rules && capital(rules), name && `with ${name}`, other && `${name ? "and" : "with"} ${other}`].filter(Boolean);
  $("which").textContent = said.join(", ") || "all";
}

function show({ tables, charts }) {
  $("none").hidden = tables.length > 0;
  $("none").textContent = String(query()) ? "No such match is over yet." : "No match is over yet; throws are counted once one is.";
  const boards = [...charts.board];
  $("tables").replaceChildren(...tables.map(({ title, sentences, heads, rows, chart }) => {
    const drawn = chart ? CHARTS[chart](chart === "board" ? boards.shift() : charts[chart], title) : null;
    const table = rows.length ? cards(title, heads, rows) : null;
    return el("section", { class: "card", "data-chart": chart || null }, el("h2", {}, title), drawn,
      sentences.map((sentence) => el("p", {}, sentence)),
      drawn ? el("details", {}, el("summary", {}, "In figures"), table) : table);
  }));
}

async function choose() {
  const mine = asked += 1, chosen = query();
  say();
  history.replaceState(null, "", String(chosen) ? `?${chosen}` : location.pathname);
  try {
    const figures = await get(`/api/statistics?${chosen}`);
    // A later choice may have been answered first.
    if (mine === asked) show(figures);
  } catch (error) { tell(error.message, true); }
}

for (const id of FIELDS) $(id).addEventListener("change", choose);
$("all").addEventListener("click", () => { for (const id of FIELDS) $(id).value = ""; choose(); });
need(async () => {
  const figures = await get(`/api/statistics${location.search}`);
  fill(figures.choices, fromAddress());
  show(figures);
}).catch((error) => tell(error.message, true));
