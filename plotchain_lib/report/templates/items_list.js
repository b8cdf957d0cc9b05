// The list of matches: a row an item, a column a model. Only so many rows at a time are made.
const ROWS_AT_A_TIME = 50;

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// A name that may be broken after an underscore.
function breakable(name) {
  const made = element("span");
  name.split(/(?<=_)/).forEach((part, place) => {
    if (place) made.append(element("wbr"));
    made.append(part);
  });
  return made;
}

function addressOf(entry) {
  return `#item=${encodeURIComponent(entry.dataset.name)}/${encodeURIComponent(entry.id)}`;
}

function passCell(entry, label) {
  const { dataset, item } = entry;
  const model = dataset.models.indexOf(label);
  if (model < 0) return element("td");
  if (verdictOf(entry, model) === "unanswered") {
    const outcome = outcomeOf(dataset, model * dataset.repeats, item);
    return element("td", "–", { class: "pass", title: outcome });
  }
  const total = entry.fields * dataset.repeats, passes = dataset.passes[model][item];
  const share = passes / total;
  const deep = share > 0.72 ? " deep" : share > 0.58 ? " middle" : "";
  const cell = element("td", `${passes}/${total}`, { class: `pass heat${deep}` });
  cell.style.setProperty("--share", share);
  return cell;
}

function rowOf(entry, models, several) {
  const row = element("tr");
  const name = element("th", "", { scope: "row" });
  const link = element("a", "", { href: addressOf(entry) });
  link.append(breakable(entry.id));
  name.append(link);
  row.append(name);
  if (several) row.append(element("td", entry.dataset.name, { class: "text" }));
  row.append(element("td", entry.difficulty || "–", { class: "text" }));
  for (const label of models) row.append(passCell(entry, label));
  return row;
}

function headOf(models, several) {
  const row = element("tr");
  row.append(element("th", "Item", { scope: "col" }));
  if (several) row.append(element("th", "Dataset", { scope: "col", class: "text" }));
  row.append(element("th", "Difficulty", { scope: "col", class: "text" }));
  for (const label of models) {
    const heading = element("th", "", { scope: "col", class: models.length > 6 ? "upright" : "" });
    heading.append(element("span", label));
    row.append(heading);
  }
  return row;
}

class ItemList {
  constructor(table, more) {
    this.table = table;
    this.more = more;
    this.matches = [];
    more.addEventListener("click", () => {
      const before = table.tBodies[0].rows.length;
      this.addRows();
      table.tBodies[0].rows[before]?.querySelector("a").focus();
    });
  }

  show(found) {
    const shown = new Set(found.map((entry) => entry.dataset));
    this.matches = found;
    this.several = shown.size > 1;
    this.models = [...new Set([...shown].flatMap((dataset) => dataset.models))];
    this.table.tHead.replaceChildren(headOf(this.models, this.several));
    this.table.tBodies[0].replaceChildren();
    this.addRows();
  }

  // Who came by a link to an item goes on at its row.
  focus(entry) {
    const links = [...this.table.querySelectorAll("a")];
    const own = entry && links.find((link) => link.getAttribute("href") === addressOf(entry));
    (own ?? links[0])?.focus();
  }

  addRows() {
    const body = this.table.tBodies[0], from = body.rows.length;
    const next = this.matches.slice(from, from + ROWS_AT_A_TIME);
    body.append(...next.map((entry) => rowOf(entry, this.models, this.several)));
    const left = this.matches.length - body.rows.length;
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${Math.min(left, ROWS_AT_A_TIME)} more of ${left}`;
  }
}
