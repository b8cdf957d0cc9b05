"use strict";
// Sort a table by a click or a key on its heading: numbers as numbers, empty cells last.
function sortRows(body, column, direction) {
  const key = (row) => row.cells[column].dataset.sort;
  const numeric = (text) => text !== "" && !Number.isNaN(Number(text));
  const rows = [...body.rows].filter((row) => !row.classList.contains("divider"));
  rows.sort((one, other) => {
    const a = key(one), b = key(other);
    if (a === "" || b === "") return (a === "") - (b === "");
    const order = numeric(a) && numeric(b) ? Number(a) - Number(b) : a.localeCompare(b, "en");
    return direction * order;
  });
  body.append(...rows);
}

for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => {
      const before = heading.getAttribute("aria-sort");
      const first = heading.classList.contains("text") || heading.textContent.startsWith("Rank");
      const rising = before === "none" ? first : before === "descending";
      headings.forEach((other) => other.setAttribute("aria-sort", "none"));
      heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
      for (const body of table.tBodies) sortRows(body, column, rising ? 1 : -1);
    });
  });
}

// Show one table of a group at a time; without a script all are shown.
for (const group of document.querySelectorAll(".tabs")) {
  const panels = [...group.children];
  const list = document.createElement("div");
  list.className = "tablist";
  list.setAttribute("role", "tablist");
  const tabs = panels.map((panel) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = panel.id + "-tab";
    tab.textContent = panel.dataset.title;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    panel.querySelector("figcaption").hidden = true;
    list.append(tab);
    return tab;
  });
  const choose = (chosen) => tabs.forEach((tab, place) => {
    tab.setAttribute("aria-selected", String(place === chosen));
    tab.tabIndex = place === chosen ? 0 : -1;
    panels[place].hidden = place !== chosen;
  });
  tabs.forEach((tab, place) => tab.addEventListener("click", () => choose(place)));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    choose(next);
    tabs[next].focus();
  });
  group.prepend(list);
  choose(0);
}
