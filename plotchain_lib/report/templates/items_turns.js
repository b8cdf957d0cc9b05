// A transcript turn by turn. All of it was written by a model or printed by its commands: text nodes.
const LONG_OUTPUT = 1200; // characters from which an output is closed at first
const NOT_DONE = { malformed: "no action", done: "done" };

function bytesLabel(bytes) {
  return `${bytes.toLocaleString("en")} byte${bytes === 1 ? "" : "s"}`;
}

// [head, bytes left out, tail] as one or two blocks with what is missing between them.
function cutText([head, more, tail], name, where) {
  const scrolls = { tabindex: "0", role: "group" };
  if (!more) return [element("pre", head, { ...scrolls, "aria-label": name })];
  const note = `${bytesLabel(more)} left out here; the whole is in ${where} of the bundle.`;
  return [
    element("pre", head, { ...scrolls, "aria-label": `${name}, start` }),
    element("p", note, { class: "note cut" }),
    element("pre", tail, { ...scrolls, "aria-label": `${name}, end` }),
  ];
}

function sizeOf([head, more, tail]) {
  const encoder = new TextEncoder();
  return encoder.encode(head).length + more + encoder.encode(tail).length;
}

function folded(title, cut, where, open, name) {
  const details = element("details"), summary = element("summary", title);
  summary.append(element("span", ` ${bytesLabel(sizeOf(cut))}`, { class: "size" }));
  details.append(summary, ...cutText(cut, name, where));
  details.open = open;
  return details;
}

function actionOf(turn) {
  const line = element("span", "", { class: "chips" });
  const chip = (text, kind = "") => line.append(element("span", text, { class: `chip ${kind}` }));
  chip(NOT_DONE[turn.kind] ?? turn.kind, turn.kind === "malformed" ? "warns" : "");
  if (turn.path) line.append(element("code", turn.path));
  if (turn.stopped) chip(`stopped: ${turn.stopped}`, "warns");
  else if (turn.code !== null) chip(`exit code ${turn.code}`, turn.code === 0 ? "" : "warns");
  if (turn.seconds !== null) line.append(element("span", `${turn.seconds.toFixed(1)} s`, { class: "size" }));
  if (turn.outcome !== "answered") chip(`reply ${turn.outcome}`, "warns");
  return line;
}

function turnOf(turn, number, where) {
  const item = element("li", "", { class: turn.flags.length ? "flagged" : "" });
  const heading = element("h4", `Turn ${number}`);
  const head = element("div", "", { class: "turn-head" });
  head.append(heading, actionOf(turn));
  item.append(head);
  for (const flag of turn.flags) item.append(element("p", flag, { class: "flag" }));
  const name = `turn ${number}`;
  if (turn.reply[0]) item.append(folded("Reply", turn.reply, where, true, `Reply of ${name}`));
  else item.append(element("p", "The reply was empty.", { class: "note" }));
  if (turn.output) {
    const [head, more] = turn.output;
    const open = Boolean(head) && !more && head.length <= LONG_OUTPUT;
    if (head) item.append(folded("Output", turn.output, where, open, `Output of ${name}`));
    else item.append(element("p", "No output.", { class: "note" }));
  }
  for (const text of [turn.note, turn.told]) if (text) item.append(element("p", text, { class: "note" }));
  if (turn.reminder) {
    item.append(element("p", "Reminded: only make_figure.py is scored, and it was untouched.", { class: "note" }));
  }
  return item;
}

const ENDS = { done: "The agent ended the episode.", budget: "All turns were used up." };

function endOf(episode) {
  const text = ENDS[episode.end] ?? `The episode ended: ${episode.end}.`;
  const item = element("li", "", { class: "end" });
  item.append(element("p", episode.reason ? `${text} ${episode.reason}` : text));
  return item;
}

function showTurns(episode, where) {
  const flagged = [
    ...(episode?.before.length ? ["the first message"] : []),
    ...(episode?.turns ?? []).flatMap((turn, k) => (turn.flags.length ? [`turn ${k + 1}`] : [])),
  ];
  byId("episode-flags").textContent = flagged.length
    ? `Marked: ${flagged.join(", ")}. ${(episode.before ?? []).join(" ")}`.trim() : "";
  const turns = episode ? episode.turns.map((turn, k) => turnOf(turn, k + 1, where)) : [];
  byId("episode-turns").replaceChildren(...turns, ...(episode ? [endOf(episode)] : []));
}
