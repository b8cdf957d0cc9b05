"use strict";
// Light, dark or by the system; kept for the next visit where the browser keeps anything.
(() => {
  const box = document.querySelector(".theme");
  const choice = box.querySelector("select");
  choice.value = document.documentElement.dataset.theme || "";
  choice.addEventListener("change", () => {
    document.documentElement.dataset.theme = choice.value;
    try {
      localStorage.setItem("plotchain-theme", choice.value);
    } catch {
      // a page opened from a file may not be allowed to
    }
  });
  box.hidden = false;
})();
