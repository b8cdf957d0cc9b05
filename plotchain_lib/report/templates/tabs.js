"use strict";
// Tabs: one table of a group at a time. Without a script all are shown, as on paper.
(() => {
  function makeTabs(group) {
    const panels = [...group.children];
    const list = document.createElement("div");
    list.className = "tablist";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", group.dataset.title);
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
      const now = tabs.indexOf(document.activeElement), last = tabs.length - 1;
      const next = {
        ArrowRight: now === last ? 0 : now + 1, ArrowLeft: now === 0 ? last : now - 1,
        Home: 0, End: last,
      }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      choose(next);
      tabs[next].focus();
    });
    group.prepend(list);
    choose(0);
  }

  for (const group of document.querySelectorAll(".tabs")) makeTabs(group);

  // A link to a table behind a tab opens the tab.
  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    const panel = target && target.closest("[role=tabpanel][hidden]");
    if (!panel) return;
    document.getElementById(panel.getAttribute("aria-labelledby")).click();
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  reveal();
})();
