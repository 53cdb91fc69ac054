// Look: what the model knows and what it was taught. Each section is asked for when the tab is opened.

import { button, byId, element, named, percent, shortened, table } from "./dom.js";
import { showDrift } from "./drift.js";
import * as service from "./service.js";
import { attempt, known, onChange, refresh } from "./state.js";
import { reversedIn, showSuspects } from "./suspects.js";

const WORDS = 12;
const SHOWN = 25;

class LookPart {
  constructor() {
    this.entries = [];
    byId("word-form").addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(() => this.lookUp(byId("term").value.trim()));
    });
    onChange(() => this.open());
  }

  /** Asks for everything again, if the tab is shown. */
  async open() {
    if (byId("look").hidden || !known.model) return;
    await this.section("classes", () => this.showClasses());
    await this.section("history", () => this.showHistory());
    await this.section("suspects", () => showSuspects(byId("suspects")));
    await this.section("drift", () => showDrift(byId("drift")));
  }

  /** Fills a section. If the server refuses that, the section says why, and the others are shown all the same. */
  async section(id, shows) {
    try {
      await shows();
    } catch (error) {
      byId(id).replaceChildren(element("p", "remark", error.message));
    }
  }

  async showClasses() {
    const classes = await service.classes(WORDS);
    if (!classes.length) {
      byId("classes").replaceChildren(element("p", "remark", "The model has no classes yet."));
      return;
    }
    const rows = classes.map((each) => {
      const words = element("span", "chips", ...each.words.map(({ term }) => button("chip", () => this.chosen(term), named(term))));
      const bar = element("span", "share-bar");
      bar.style.setProperty("--share", each.share);
      bar.ariaHidden = "true";
      return [named(each.label), each.documents, element("span", "with-bar", bar, percent(each.share)), words];
    });
    byId("classes").replaceChildren(table("class-table", ["Class", "Documents", "Share", "Most typical words"], rows));
  }

  chosen(term) {
    byId("term").value = term;
    attempt(() => this.lookUp(term));
    byId("look-word").scrollIntoView({ block: "start" });
  }

  async lookUp(word) {
    if (!word) return;
    const found = await service.term(word);
    const place = byId("term-answer");
    if (!found.known) {
      place.replaceChildren(element("p", "", "The model does not know ", named(found.term), "."));
      return;
    }
    const most = Math.max(...found.classes.map((each) => each.probability)) || 1;
    const rows = found.classes.map((each) => {
      const bar = element("span", "share-bar");
      bar.style.setProperty("--share", each.probability / most);
      bar.ariaHidden = "true";
      return [named(each.label), each.count, each.documents, element("span", "with-bar", bar, each.probability ? each.probability.toPrecision(2) : "0")];
    });
    place.replaceChildren(table("term-table", ["Class", "Occurrences", "Documents with it", "P(word | class)"], rows));
  }

  async showHistory(before = null) {
    const found = await service.history(SHOWN, before);
    this.entries = before === null ? found : [...this.entries, ...found];
    const place = byId("history");
    if (!this.entries.length) {
      place.replaceChildren(element("p", "remark", "Nothing was taught yet."));
      return;
    }
    const reversed = reversedIn(this.entries);
    const rows = this.entries.map((entry) => this.historyRow(entry, reversed.has(entry.seq)));
    const more = found.length < SHOWN ? null : button("", () => attempt(() => this.showHistory(this.entries.at(-1).seq)), "Older ones");
    place.replaceChildren(table("history-table", ["When", "What", "Class", "Text", ""], rows), ...(more ? [more] : []));
  }

  historyRow(entry, isReversed) {
    const time = element("time", "", new Date(entry.time).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" }));
    time.dateTime = entry.time;
    const what = entry.undoes ? `undid ${entry.undoes}` : { learn: "learned", forget: "forgot" }[entry.kind];
    const kept = entry.text ?? this.entries.find((other) => other.seq === entry.of)?.text ?? null;
    const text = kept === null ? element("code", "", entry.digest.slice(0, 12)) : element("bdi", "", shortened(kept, 70));
    const undo = isReversed || entry.undoes ? element("span", "remark", isReversed ? "undone" : "") : button("", () => this.undo(entry.seq), "Undo");
    if (undo.type) undo.setAttribute("aria-label", `Undo entry ${entry.seq}`);
    return [time, what, named(entry.label), text, undo];
  }

  undo(seq) {
    return attempt(async () => {
      const undone = await service.undo(seq);
      await refresh(undone.seq);
    });
  }
}

export const start = () => new LookPart();
