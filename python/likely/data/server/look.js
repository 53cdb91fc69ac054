// Look: what the model knows and what it was taught. Everything is asked for when the tab is opened.

import { bar, byId, element, named } from "./dom.js";
import { drift } from "./drift.js";
import { number, percent } from "./numbers.js";
import { button, shortened, table } from "./parts.js";
import { Latest } from "./requests.js";
import * as service from "./service.js";
import { attempt, known, onChange, refresh } from "./state.js";
import { reversedIn, suspectsIn } from "./suspects.js";

const WORDS = 12;
const SHOWN = 25;
const STEMS = 'Words ending in "-" are stems: beauti- stands for beautiful and beauty.';

class LookPart {
  constructor() {
    this.openings = new Latest();
    this.words = new Latest();
    byId("word-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.lookUp(byId("term", HTMLInputElement).value.trim());
    });
    onChange(() => this.open());
  }

  /** Asks for everything again, if the tab is shown; what an earlier opening still waits for is dropped. */
  async open() {
    if (byId("look").hidden || !known.model) return;
    const signal = this.openings.next();
    await Promise.all([
      this.section("classes", signal, () => this.classes(signal)),
      this.section("history", signal, async () => this.history(await service.history(SHOWN, null, signal), signal)),
      this.section("suspects", signal, () => suspectsIn(signal)),
      this.section("drift", signal, () => drift(signal)),
    ]);
  }

  /** Fills a section. If the server refuses that, the section says why, and the others are shown all the same. */
  async section(id, signal, asks) {
    const shown = await asks().catch((error) => [element("p", "remark", error.message)]);
    if (!signal.aborted) byId(id).replaceChildren(...shown);
  }

  async classes(signal) {
    const classes = await service.classes(WORDS, signal);
    if (!classes.length) return [element("p", "remark", "The model has no classes yet.")];
    const rows = classes.map((each) => {
      const words = element("span", "chips", ...each.words.map(({ term, word }) => button("chip", () => this.chosen(term), named(word))));
      return [named(each.label), each.documents, element("span", "with-bar", bar(each.share), percent(each.share)), words];
    });
    const hasStems = classes.some(({ words }) => words.some(({ term, word }) => term !== word));
    const note = hasStems ? element("p", "remark", STEMS) : "";
    return [table("class-table", ["Class", "Documents", "Share", "Most typical words"], rows), note];
  }

  chosen(term) {
    byId("term", HTMLInputElement).value = term;
    this.lookUp(term);
    byId("look-word").scrollIntoView({ block: "start" });
  }

  async lookUp(word) {
    if (!word) return;
    const signal = this.words.next();
    await attempt(async () => {
      const found = await service.term(word, signal);
      byId("term-answer").replaceChildren(this.wordTable(found));
    });
  }

  wordTable(found) {
    if (!found.known) return element("p", "", "The model does not know ", named(found.term), ".");
    const most = Math.max(...found.classes.map((each) => each.probability)) || 1;
    const rows = found.classes.map((each) => [named(each.label), each.count, each.documents, element("span", "with-bar", bar(each.probability / most), number(each.probability))]);
    return table("term-table", ["Class", "Occurrences", "Documents with it", "P(word | class)"], rows);
  }

  /** A table of entries, and a button for older ones if there may be some. */
  history(entries, signal, isMore = entries.length === SHOWN) {
    if (!entries.length) return [element("p", "remark", "No corrections yet.")];
    const reversed = reversedIn(entries);
    const rows = entries.map((entry) => this.historyRow(entry, entries, reversed.has(entry.seq)));
    const older = () => attempt(async () => {
      const found = await service.history(SHOWN, entries.at(-1).seq, signal);
      byId("history").replaceChildren(...this.history([...entries, ...found], signal, found.length === SHOWN));
    });
    return [table("history-table", ["When", "What", "Class", "Text", ""], rows), isMore ? button("", older, "Older ones") : ""];
  }

  historyRow(entry, entries, isReversed) {
    const time = element("time", "", new Date(entry.time).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" }));
    time.dateTime = entry.time;
    const what = entry.undoes ? `undid ${entry.undoes}` : { learn: "learned", forget: "forgot" }[entry.kind];
    const kept = entry.text ?? entries.find((other) => other.seq === entry.of)?.text ?? null;
    const text = kept === null ? element("code", "", entry.digest.slice(0, 12)) : element("bdi", "", shortened(kept, 70));
    const done = isReversed ? "undone" : "";
    const undo = done || entry.undoes ? element("span", "remark", done) : button("", () => this.undo(entry.seq), "Undo");
    undo.ariaLabel = done || entry.undoes ? null : `Undo entry ${entry.seq}`;
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
