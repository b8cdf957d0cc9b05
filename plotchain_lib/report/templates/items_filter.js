// Which items match the filters. The form's values are the state.
function readFilters(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
}

function hasVerdict(entry, model, wanted) {
  const verdict = verdictOf(entry, model);
  return wanted === "failed" ? verdict === "some" || verdict === "none" : verdict === wanted;
}

function matches(entry, filters) {
  const { dataset } = entry;
  if (filters.dataset && dataset.name !== filters.dataset) return false;
  if (filters.group && entry.group !== filters.group) return false;
  if (filters.difficulty && entry.difficulty !== filters.difficulty) return false;
  if (filters.text && !entry.id.toLowerCase().includes(filters.text.toLowerCase())) return false;
  const models = filters.model ? [dataset.models.indexOf(filters.model)] : dataset.models.keys();
  if (filters.model && models[0] < 0) return false;
  if (filters.verdict && ![...models].some((m) => hasVerdict(entry, m, filters.verdict))) return false;
  if (!filters.model || !filters.against) return true;
  const other = dataset.models.indexOf(filters.against);
  return other >= 0 && disagree(entry, models[0], other);
}

// The values to choose from, in the order they first occur.
function choices(index, values) {
  return [...new Set(index.entries.flatMap(values))];
}

function fillSelect(select, values) {
  for (const value of values) select.append(new Option(value, value));
}

function fillFilters(form, index) {
  const { dataset, group, difficulty, model } = form.elements;
  fillSelect(dataset, index.datasets.map((one) => one.name));
  form.querySelector("[data-many=dataset]").hidden = index.datasets.length < 2;
  fillSelect(group, choices(index, (entry) => entry.group).sort());
  const difficulties = choices(index, (entry) => entry.difficulty).filter(Boolean);
  fillSelect(difficulty, difficulties);
  difficulty.closest("label").hidden = !difficulties.length;
  fillSelect(model, [...new Set(index.datasets.flatMap((one) => one.models))]);
}

// A disagreement is one between two models: the second can be chosen when the first is.
function offerAgainst(form) {
  const { model, against } = form.elements;
  const before = against.value;
  const others = [...model.options].map((option) => option.value).filter(Boolean);
  against.replaceChildren(new Option(model.value ? "nobody" : "choose a model first", ""));
  fillSelect(against, others.filter((label) => label !== model.value));
  against.disabled = !model.value;
  against.value = model.value && before !== model.value ? before : "";
}
