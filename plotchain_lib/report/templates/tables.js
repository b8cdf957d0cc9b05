"use strict";
// Tables: sort by a click or a key on a heading; type to keep the rows that hold every word.
(() => {
  const FEW_ROWS = 20; // a table that fits the eye needs no filter

  function sortRows(body, column, direction) {
    const key = (row) => row.cells[column].dataset.sort;
    const numeric = (text) => text !== "" && !Number.isNaN(Number(text));
    const rows = [...body.rows].filter((row) => !row.classList.contains("divider"));
    rows.sort((one, other) => {
      const a = key(one), b = key(other);
      if (a === "" || b === "") return (a === "") - (b === ""); // empty cells last
      const order = numeric(a) && numeric(b) ? Number(a) - Number(b) : a.localeCompare(b, "en");
      return direction * order;
    });
    body.append(...rows);
  }

  function makeSortable(table) {
    const headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    headings.forEach((heading, column) => {
      heading.querySelector("button").addEventListener("click", () => {
        const before = heading.getAttribute("aria-sort");
        const first = heading.dataset.first === "ascending";
        const rising = before === "none" ? first : before === "descending";
        headings.forEach((other) => other.setAttribute("aria-sort", "none"));
        heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
        for (const body of table.tBodies) sortRows(body, column, rising ? 1 : -1);
      });
    });
  }

  function addFilter(table) {
    const rows = [...table.tBodies].filter((body) => !body.classList.contains("apart"))
      .flatMap((body) => [...body.rows]);
    if (rows.length <= FEW_ROWS) return;
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const [line, label, input, said] = ["p", "label", "input", "output"]
      .map((name) => document.createElement(name));
    line.className = "filter";
    input.type = "search";
    input.autocomplete = "off";
    input.placeholder = "any words";
    label.append("Filter rows ", input);
    line.append(label, said);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let kept = 0;
      rows.forEach((row, place) => {
        row.hidden = !words.every((word) => texts[place].includes(word));
        kept += !row.hidden;
      });
      said.textContent = words.length ? `${kept} of ${rows.length} rows` : "";
    });
    table.closest("figure").querySelector("figcaption").after(line);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    makeSortable(table);
    addFilter(table);
  }

  // A box is a stop for the keyboard only where it scrolls.
  const stop = (box) => {
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    box.tabIndex = scrolls ? 0 : -1;
  };
  const watch = new ResizeObserver((entries) => entries.forEach((entry) => stop(entry.target)));
  for (const box of document.querySelectorAll("figure.table .box")) watch.observe(box);
})();
