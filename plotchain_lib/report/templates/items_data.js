// The items' data stands packed in elements of the page and is unpacked when first looked at.
const NO_VERDICT = 2;

// Both ways skip blanks; the first is many times as fast where a browser has it.
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function unpackText(id) {
  const bytes = bytesOf(document.getElementById(id).textContent);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

const unpacked = new Map();
function unpackOnce(id, unpack) {
  if (!unpacked.has(id)) unpacked.set(id, unpack(id));
  return unpacked.get(id);
}

// What the items of one shard show: questions, truth, values, texts, overlays.
function shardData(entry) {
  return unpackOnce(`items-shard-${entry.dataset.place}-${entry.shard}`, unpackText);
}

// The picture as [width, height, address]; undefined where it is missing.
function pictureOf(entry) {
  const id = `items-pictures-${entry.dataset.place}-${entry.shard}`;
  const pictures = unpackOnce(id, () => JSON.parse(document.getElementById(id).textContent));
  if (!(entry.id in pictures)) return undefined;
  const [width, height, data] = pictures[entry.id];
  return [width, height, `data:image/webp;base64,${data.replaceAll(" ", "")}`];
}

// Count for every model and item how many fields pass, over all repeats.
function countPasses(dataset) {
  const { models, repeats, items, starts } = dataset;
  const fields = starts[items.length];
  dataset.verdicts = dataset.passed.map((text) => {
    const codes = new Uint8Array(fields);
    for (let k = 0; k < fields; k++) codes[k] = text.charCodeAt(k) - 48;
    return codes;
  });
  dataset.answered = models.map(() => new Uint8Array(items.length));
  dataset.passes = models.map((_, model) => {
    const counts = new Uint16Array(items.length);
    for (let repeat = 0; repeat < repeats; repeat++) {
      const run = model * repeats + repeat;
      for (let item = 0; item < items.length; item++) {
        if (outcomeOf(dataset, run, item) === "answered") dataset.answered[model][item] = 1;
        for (let k = starts[item]; k < starts[item + 1]; k++) {
          if (dataset.verdicts[run][k] === 1) counts[item]++;
        }
      }
    }
    return counts;
  });
}

function outcomeOf(dataset, run, item) {
  return dataset.outcomes[dataset.outcome[run].charCodeAt(item) - 48];
}

// One of "all", "some", "none" (of the fields passed) and "unanswered".
function verdictOf(entry, model) {
  const { dataset, item } = entry;
  if (!dataset.answered[model][item]) return "unanswered";
  const passes = dataset.passes[model][item];
  if (passes === 0) return "none";
  return passes === entry.fields * dataset.repeats ? "all" : "some";
}

// Whether some field is passed by one of two models and failed by the other in the same repeat.
function disagree(entry, one, other) {
  const { verdicts, repeats, starts } = entry.dataset;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const first = verdicts[one * repeats + repeat], second = verdicts[other * repeats + repeat];
    for (let k = starts[entry.item]; k < starts[entry.item + 1]; k++) {
      if (first[k] !== second[k] && first[k] !== NO_VERDICT && second[k] !== NO_VERDICT) return true;
    }
  }
  return false;
}

// {datasets, entries}: an entry is one item of one dataset.
async function loadIndex() {
  const { datasets } = await unpackText("items-index");
  const entries = [];
  datasets.forEach((dataset, place) => {
    dataset.place = place;
    dataset.starts = [0];
    dataset.kind.forEach((kind, item) => {
      dataset.starts.push(dataset.starts[item] + dataset.fields[kind].length);
    });
    countPasses(dataset);
    const first = {};
    dataset.items.forEach((id, item) => {
      const shard = dataset.shard[item];
      first[shard] ??= item;
      entries.push({
        id, dataset, item, shard,
        inShard: item - first[shard],
        group: dataset.group[item],
        difficulty: dataset.difficulty[item],
        fields: dataset.fields[dataset.kind[item]].length,
      });
    });
  });
  return { datasets, entries };
}
