// Opens items by their address, steps through the matches, and keeps filters and list together.
const OUR_STEPS = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 };

class ItemBrowser {
  constructor(index) {
    this.index = index;
    this.form = byId("items-filters");
    this.dialog = byId("item");
    this.list = new ItemList(byId("items-list"), byId("items-more"));
    this.entry = null;
    this.cameFromPage = false;
    fillFilters(this.form, index);
    this.filter();
    this.listen();
  }

  listen() {
    this.form.addEventListener("input", () => this.filter());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("reset", () => setTimeout(() => this.filter()));
    window.addEventListener("hashchange", () => this.follow(true));
    byId("item-previous").addEventListener("click", () => this.step(-1));
    byId("item-next").addEventListener("click", () => this.step(1));
    byId("item-close").addEventListener("click", () => this.dialog.close());
    byId("item-overlay").addEventListener("change", () => this.redraw());
    byId("item-whole").addEventListener("change", (event) => {
      byId("item-frame").classList.toggle("whole", event.target.checked);
    });
    this.dialog.addEventListener("close", () => this.leave());
    this.dialog.addEventListener("keydown", (event) => this.key(event));
  }

  filter() {
    offerAgainst(this.form);
    const filters = readFilters(this.form);
    this.matches = this.index.entries.filter((entry) => matches(entry, filters));
    const [found, all] = [this.matches, this.index.entries].map((list) => list.length.toLocaleString("en"));
    byId("items-count").textContent = `${found} of ${all} items`;
    this.list.show(this.matches);
  }

  // The address: #item=name, #item=dataset/name, and &overlay behind it.
  follow(cameFromPage) {
    const address = new URLSearchParams(location.hash.slice(1));
    const wanted = address.get("item");
    if (wanted === null) {
      if (this.dialog.open) this.dialog.close();
      return;
    }
    this.cameFromPage = cameFromPage;
    if (address.has("overlay")) byId("item-overlay").checked = true;
    if (address.has("attempt")) chosenAttempt = address.get("attempt");
    const found = this.index.entries.filter(
      (entry) => entry.id === wanted || `${entry.dataset.name}/${entry.id}` === wanted,
    );
    if (found.length === 1) this.open(found[0]);
    else this.ask(wanted, found);
  }

  open(entry) {
    this.entry = entry;
    byId("item-missing").hidden = true;
    byId("item-body").hidden = entry.dataset.episodes;
    byId("episode-body").hidden = !entry.dataset.episodes;
    byId("item-title").textContent = entry.id;
    const place = this.walk().indexOf(entry);
    const sort = entry.difficulty || entry.group;
    byId("item-about").textContent =
      `${entry.dataset.name}, ${sort}, ${place + 1} of ${this.walk().length}`;
    byId("item-previous").disabled = place === 0;
    byId("item-next").disabled = place === this.walk().length - 1;
    this.show();
    this.redraw();
  }

  redraw() {
    if (!this.entry) return undefined;
    return this.entry.dataset.episodes ? showEpisodes(this.entry) : showItem(this.entry);
  }

  // No item of this name, or one in each of several datasets.
  ask(wanted, found) {
    this.entry = null;
    byId("item-body").hidden = byId("episode-body").hidden = true;
    byId("item-title").textContent = wanted;
    byId("item-about").textContent = "";
    byId("item-previous").disabled = byId("item-next").disabled = true;
    const missing = byId("item-missing");
    missing.replaceChildren(element("p", found.length ? "Several datasets have it:" : "No such item."));
    for (const entry of found) {
      const link = element("a", entry.dataset.name, { href: addressOf(entry) });
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.goTo(entry);
      });
      missing.append(link, " ");
    }
    missing.hidden = false;
    this.show();
  }

  show() {
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  // Steps go through the matches; from an item that is none of them, through all.
  walk() {
    return this.matches.includes(this.entry) ? this.matches : this.index.entries;
  }

  step(by) {
    if (!this.entry) return;
    const next = this.walk()[this.walk().indexOf(this.entry) + by];
    if (next) this.goTo(next);
  }

  // One entry of the history for all items looked at, so that back leads out of them.
  goTo(entry) {
    history.replaceState(null, "", addressOf(entry));
    this.open(entry);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
    const scrolls = event.target.closest(".box, .item-frame, pre");
    if (event.key.startsWith("Arrow") && scrolls) return;
    if (event.key === "o" && !byId("item-overlay-label").hidden && !byId("item-body").hidden) byId("item-overlay").click();
    else if (event.key in OUR_STEPS) this.step(OUR_STEPS[event.key]);
    else return;
    event.preventDefault();
  }

  // After Escape or the button the address must not name the item any more.
  leave() {
    const left = this.entry;
    this.entry = null;
    if (!location.hash.startsWith("#item=")) return;
    if (this.cameFromPage) {
      history.back();
    } else {
      history.replaceState(null, "", "#items");
      this.list.focus(left);
    }
  }
}

async function startItems() {
  const index = await loadIndex();
  byId("items-app").hidden = false;
  new ItemBrowser(index).follow(false);
}

document.addEventListener("DOMContentLoaded", () => {
  startItems().catch((error) => {
    byId("items-app").replaceChildren(element("p", `The items cannot be shown: ${error.message}.`));
    byId("items-app").hidden = false;
  });
});
