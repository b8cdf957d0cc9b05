// One item: its picture, what the ceiling saw of it, truth, values, question and raw answers. Text
// from a model only ever becomes a text node.
const byId = (id) => document.getElementById(id);
const openAnswers = new Map();
const OVERLAY_LEGEND =
  "Purple: the frame. Green: labelled ticks with the values read, grey where one does not fit the " +
  "others. Orange: the curve as it was followed. Red: where each field was read.";

function written(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value;
  const number = Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-4)
    ? value.toExponential(3)
    : String(Number(value.toPrecision(6)));
  return number.replace("-", "−");
}

function multiple(error, allowed) {
  if (error === 0) return "0";
  const times = error / allowed;
  if (times >= 1000) return "> 1000";
  return times >= 10 ? times.toFixed(0) : times >= 1 ? times.toFixed(1) : times.toFixed(2);
}

function overlayOf(drawing) {
  const parsed = new DOMParser().parseFromString(drawing, "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true);
  for (const part of svg.querySelectorAll("image, style, script")) part.remove();
  svg.setAttribute("aria-hidden", "true");
  svg.removeAttribute("role");
  return svg;
}

function showPicture(entry, drawing) {
  const frame = byId("item-frame"), picture = pictureOf(entry);
  byId("item-overlay-label").hidden = !drawing;
  frame.classList.toggle("missing", !picture);
  if (!picture) {
    frame.replaceChildren(element("p", "This release lacks the picture of this item."));
    byId("item-legend").textContent = "";
    return;
  }
  const [width, height, address] = picture;
  const image = element("img", "", { src: address, width, height, alt: `Plot of ${entry.id}` });
  const stack = element("div", "", { class: "item-stack" });
  stack.style.setProperty("--width", `${width}px`);
  stack.append(image);
  const overlaid = Boolean(drawing) && byId("item-overlay").checked;
  if (overlaid) stack.append(overlayOf(drawing));
  frame.replaceChildren(stack);
  const where = `${entry.dataset.name}/images/${entry.dataset.shards[entry.shard]}/${entry.id}.png`;
  const notes = [
    overlaid ? OVERLAY_LEGEND : "",
    entry.dataset.reduced ? `The picture is reduced; the whole one is ${where} in the bundle.` : "",
  ];
  byId("item-legend").textContent = notes.filter(Boolean).join(" ");
}

function fieldHeads(fields) {
  const row = element("tr");
  row.append(element("th", "Model", { scope: "col" }));
  for (const [name, unit, scope] of fields) {
    const heading = element("th", "", { scope: "col" });
    heading.append(breakable(name), element("small", [unit, scope].filter(Boolean).join(", ")));
    row.append(heading);
  }
  return row;
}

function plainRow(title, texts, kind) {
  const row = element("tr", "", { class: kind });
  row.append(element("th", title, { scope: "row" }));
  for (const text of texts) row.append(element("td", text));
  return row;
}

function valueCell(value, truth, allowed, code, reason) {
  const passed = code === 1;
  const cell = element("td", written(value), { class: passed ? "passed" : "failed" });
  const small = element("small");
  if (value === null) {
    small.textContent = reason || "no value";
  } else {
    small.append(element("span", passed ? "✓" : "✗", { "aria-hidden": "true" }));
    small.append(element("span", passed ? "passed" : "failed", { class: "unseen" }));
    if (allowed !== null) small.append(` ${multiple(Math.abs(value - truth), allowed)}`);
  }
  cell.append(small);
  return cell;
}

function runName(dataset, run) {
  const label = dataset.models[Math.floor(run / dataset.repeats)];
  return dataset.repeats > 1 ? `${label}, repeat ${(run % dataset.repeats) + 1}` : label;
}

function valueRow(entry, shard, run, at) {
  const { dataset, item } = entry;
  const row = element("tr");
  const heading = element("th", runName(dataset, run), { scope: "row" });
  const label = dataset.models[Math.floor(run / dataset.repeats)];
  if (dataset.roles[label]) heading.append(element("small", dataset.roles[label]));
  row.append(heading);
  const outcome = outcomeOf(dataset, run, item);
  if (outcome !== "answered") {
    row.append(element("td", outcome || "not asked", { colspan: entry.fields, class: "text" }));
    return row;
  }
  const ceiling = dataset.roles[label] === "ceiling" && shard.reasons[entry.inShard];
  const reasons = ceiling ? JSON.parse(ceiling) : {};
  dataset.fields[dataset.kind[item]].forEach(([name], k) => {
    const value = shard.values[run][at + k];
    const code = dataset.verdicts[run][dataset.starts[item] + k];
    row.append(valueCell(value, shard.truth[at + k], shard.allowed[at + k], code, reasons[name]));
  });
  return row;
}

function showValues(entry, shard) {
  const { dataset, item } = entry;
  const at = dataset.starts[item] - dataset.starts[item - entry.inShard];
  const fields = dataset.fields[dataset.kind[item]];
  const table = byId("item-values");
  table.tHead.replaceChildren(fieldHeads(fields));
  table.tBodies[0].replaceChildren(
    plainRow("Truth", fields.map((_, k) => written(shard.truth[at + k])), "truth"),
    plainRow("May differ by", fields.map((_, k) => written(shard.allowed[at + k])), "allowed"),
    ...dataset.passed.map((_, run) => valueRow(entry, shard, run, at)),
  );
}

function answerOf(entry, shard, run) {
  const { dataset, item } = entry;
  const name = runName(dataset, run), label = dataset.models[Math.floor(run / dataset.repeats)];
  const outcome = outcomeOf(dataset, run, item);
  const details = element("details"), summary = element("summary");
  summary.append(element("b", name));
  if (outcome !== "answered") summary.append(` ${outcome || "not asked"}`);
  details.append(summary);
  details.open = openAnswers.get(name) ?? !dataset.roles[label];
  details.addEventListener("toggle", () => openAnswers.set(name, details.open));
  const [text, more, error] = shard.texts[entry.inShard][run] ?? ["", 0, ""];
  if (error) details.append(element("p", error, { class: "note" }));
  const scrolls = { tabindex: "0", role: "group", "aria-label": `Answer of ${name}` };
  if (text) details.append(element("pre", text, scrolls));
  if (!text && !error) details.append(element("p", "No text.", { class: "note" }));
  if (more) {
    const where = `${dataset.name}/raw/${label}.jsonl`;
    const note = `Cut here: ${more.toLocaleString("en")} bytes more are in ${where} of the bundle.`;
    details.append(element("p", note, { class: "note cut" }));
  }
  return details;
}

let wanted = null;
async function showItem(entry) {
  wanted = entry;
  const shard = await shardData(entry);
  if (wanted !== entry) return; // somebody stepped on while it was unpacked
  showPicture(entry, shard.overlays[entry.inShard]);
  byId("item-question").textContent = shard.prompts[entry.inShard];
  showValues(entry, shard);
  byId("item-answers").replaceChildren(
    ...entry.dataset.passed.map((_, run) => answerOf(entry, shard, run)),
  );
}
