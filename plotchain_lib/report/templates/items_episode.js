// One item that is played: attempts and their scores, the two figures, the script, the transcript.
let chosenAttempt = null; // "model/number", kept from item to item

function episodeData(entry) {
  return unpackOnce(`items-episodes-${entry.dataset.place}-${entry.shard}`, unpackText);
}

function submittedFigure(entry, place) {
  const id = `items-figures-${entry.dataset.place}-${entry.shard}`;
  const figures = unpackOnce(id, () => JSON.parse(document.getElementById(id).textContent));
  const [width, height, data] = figures[place];
  return [width, height, `data:image/webp;base64,${data.replaceAll(" ", "")}`];
}

function attemptOf(dataset, run) {
  const label = dataset.models[Math.floor(run / dataset.repeats)];
  return { label, number: (run % dataset.repeats) + 1 };
}

function attemptName(dataset, run) {
  const { label, number } = attemptOf(dataset, run);
  return dataset.repeats > 1 ? `${label}, attempt ${number}` : label;
}

function attemptKey(dataset, run) {
  const { label, number } = attemptOf(dataset, run);
  return `${label}/${number}`;
}

// The one chosen before; or else the first of a model that is no baseline.
function wantedRun(dataset) {
  const runs = [...dataset.passed.keys()];
  const kept = runs.find((run) => attemptKey(dataset, run) === chosenAttempt);
  return kept ?? runs.find((run) => !dataset.roles[attemptOf(dataset, run).label]) ?? 0;
}

function decisionCell(value, lost, passed) {
  const cell = element("td", value === null ? "–" : value.toFixed(2), { class: passed ? "passed" : "failed" });
  cell.append(element("span", passed ? ", solved" : ", lost", { class: "unseen" }));
  if (lost) cell.append(element("small", lost));
  return cell;
}

function attemptRow(entry, shard, run, record, choose) {
  const { dataset, item } = entry, { label } = attemptOf(dataset, run);
  const row = element("tr", "", { "data-run": run });
  const heading = element("th", "", { scope: "row" });
  const button = element("button", attemptName(dataset, run), { type: "button" });
  button.addEventListener("click", () => choose(run));
  heading.append(button);
  if (dataset.roles[label]) heading.append(element("small", dataset.roles[label]));
  if (record.episode && !record.episode.sealed) heading.append(element("small", "unsealed"));
  row.append(heading, element("td", record.score === null ? "–" : record.score.toFixed(2), { class: "whole" }));
  const outcome = outcomeOf(dataset, run, item);
  if (outcome !== "answered") {
    row.append(element("td", outcome || "not asked", { colspan: entry.fields, class: "text" }));
    return row;
  }
  const at = dataset.starts[item] - dataset.starts[item - entry.inShard];
  const reasons = dataset.fields[dataset.kind[item]].map(([name]) => record.lost[name] ?? "");
  const failure = record.episode?.failure;
  reasons.forEach((lost, k) => {
    const passed = dataset.verdicts[run][dataset.starts[item] + k] === 1;
    row.append(decisionCell(shard.values[run][at + k], failure ? "" : lost, passed));
  });
  if (failure) heading.append(element("small", failure));
  return row;
}

function showAttempts(entry, shard, records, choose) {
  const { dataset, item } = entry;
  const head = element("tr");
  head.append(element("th", "Attempt", { scope: "col" }), element("th", "Score", { scope: "col" }));
  for (const [name] of dataset.fields[dataset.kind[item]]) {
    head.append(element("th", name.replaceAll("_", " "), { scope: "col" }));
  }
  const table = byId("episode-scores");
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(
    ...records.map((record, run) => attemptRow(entry, shard, run, record, choose)),
  );
}

function figureBox(title, picture, alt, missing, note = "") {
  const figure = element("figure", "", { class: "episode-figure" });
  figure.append(element("figcaption", title));
  const frame = element("div", "", { class: picture ? "item-frame" : "item-frame missing" });
  if (picture) {
    const [width, height, src] = picture;
    frame.append(element("img", "", { src, width, height, alt }));
  } else {
    for (const text of missing.filter(Boolean)) frame.append(element("p", text));
  }
  figure.append(frame);
  if (note) figure.append(element("p", note, { class: "note" }));
  return figure;
}

function whyNothing(record, outcome) {
  const { episode } = record;
  if (!episode) return [`No episode: ${outcome || "not asked"}.`, record.error];
  const drew = episode.drew ? "A command of the agent drew a figure, but no script was submitted." : "";
  if (!episode.failure) return ["The picture of this figure was not kept."];
  return [`${episode.failure[0].toUpperCase()}${episode.failure.slice(1)}.`, episode.why, drew];
}

function showFigures(entry, record, name, outcome) {
  const place = record.episode?.figure ?? null;
  const failed = Boolean(record.episode?.failure);
  byId("episode-figures").replaceChildren(
    figureBox("Reference", pictureOf(entry), `Reference figure of ${entry.id}`, ["The picture is missing."]),
    figureBox(
      failed && place !== null ? `Drawn, not scored: ${record.episode.failure}` : "Submitted",
      place === null ? null : submittedFigure(entry, place),
      `Figure submitted by ${name}`,
      whyNothing(record, outcome),
      failed && place !== null ? record.episode.why : "",
    ),
  );
}

function showFacts(record) {
  const { episode } = record, facts = byId("episode-facts");
  const chips = element("span", "", { class: "chips" });
  const chip = (text, kind = "") => chips.append(element("span", text, { class: `chip ${kind}` }));
  if (record.score !== null) chip(`score ${record.score.toFixed(2)}`);
  if (episode) {
    const turns = episode.turns.length;
    chip(`${turns} turn${turns === 1 ? "" : "s"}`);
    if (episode.failure) chip(episode.failure, "warns");
    if (!episode.sealed) chip("unsealed: ran without a sandbox", "warns");
    if (episode.reminded) chip("reminded to submit");
  }
  facts.replaceChildren(chips);
}

function showScript(episode, where) {
  const parts = [];
  if (episode?.script) {
    parts.push(folded("Submitted script", episode.script, where, false, "Submitted script"));
  }
  if (episode?.tampering.length) {
    const list = element("ul", "", { class: "flag" });
    list.append(...episode.tampering.map((line) => element("li", line)));
    parts.push(element("p", "In the script, perhaps meant for the program that reads it:"), list);
  }
  byId("episode-script").replaceChildren(...parts);
}

function showAttempt(entry, records, run) {
  const { dataset } = entry, record = records[run];
  const name = attemptName(dataset, run);
  const where = `${dataset.name}/raw/${attemptOf(dataset, run).label}.jsonl`;
  for (const row of byId("episode-scores").tBodies[0].rows) {
    const chosen = Number(row.dataset.run) === run;
    row.classList.toggle("chosen", chosen);
    row.querySelector("button").setAttribute("aria-pressed", chosen);
  }
  byId("episode-title").textContent = name;
  showFacts(record);
  showFigures(entry, record, name, outcomeOf(dataset, run, entry.item));
  showScript(record.episode, where);
  showTurns(record.episode, where);
}

async function showEpisodes(entry) {
  wanted = entry;
  const [shard, data] = await Promise.all([shardData(entry), episodeData(entry)]);
  if (wanted !== entry) return; // somebody stepped on while it was unpacked
  const { dataset, inShard } = entry, records = data.runs[inShard];
  byId("episode-claim").textContent = data.claims[inShard];
  const review = data.reviews[inShard];
  byId("episode-review").textContent =
    review === "curated" ? "Curated: claim and reference are ours, not a paper author's." : review;
  byId("episode-prompt").textContent = shard.prompts[inShard];
  const choose = (run) => {
    chosenAttempt = attemptKey(dataset, run);
    history.replaceState(null, "", `${addressOf(entry)}&attempt=${encodeURIComponent(chosenAttempt)}`);
    showAttempt(entry, records, run);
  };
  showAttempts(entry, shard, records, choose);
  showAttempt(entry, records, wantedRun(dataset));
}
