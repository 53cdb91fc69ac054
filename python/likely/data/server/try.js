// Try: a text is typed, its class and the words behind it are shown as it is typed, and it can be corrected.

import { countsBehind, read, showChoices } from "./answer.js";
import { byId, element, named } from "./dom.js";
import { percent } from "./numbers.js";
import { button, debounced, shortened } from "./parts.js";
import { Latest } from "./requests.js";
import * as service from "./service.js";
import { attempt, known, labels, onChange, refresh } from "./state.js";
import { knownShare, legend, showBars, showMarked, verdict } from "./view.js";

const WAIT = 60;

class TryPart {
  constructor() {
    this.text = byId("text", HTMLTextAreaElement);
    /** @type {import("./view.js").Answer & import("./answer.js").Explained | null} */
    this.answer = null;
    /** @type {Map<import("./state.js").Label, number> | null} */
    this.before = null;
    this.questions = new Latest();
    const soon = debounced(WAIT, () => this.ask());
    this.text.addEventListener("input", () => {
      this.forgetChange();
      soon();
    });
    document.addEventListener("keydown", (event) => this.pressed(event));
    onChange(() => this.showChoices());
  }

  /** Asks about the text as it is now. An older question that is still on its way is dropped: the latest answer wins. */
  async ask() {
    const signal = this.questions.next();
    const text = this.text.value;
    if (text.trim() === "" || !known.classes.length) return this.showNothing();
    return attempt(async () => {
      this.show(read(await service.explain(text, signal), text));
    });
  }

  showNothing() {
    this.answer = null;
    const isEmpty = this.text.value.trim() === "";
    byId("answer").hidden = isEmpty;
    byId("answer").classList.toggle("without-model", !isEmpty);
    byId("spoken").textContent = "";
    byId("verdict").textContent = isEmpty ? "Type or paste a text to see its class." : "The model is empty: name the class of this text to begin.";
    for (const id of ["bars", "legend", "marked", "word", "known", "flip"]) byId(id).replaceChildren();
    this.showChoices();
  }

  /** @param {import("./view.js").Answer & import("./answer.js").Explained} answer */
  show(answer) {
    this.answer = answer;
    byId("answer").hidden = false;
    byId("answer").classList.remove("without-model");
    byId("verdict").replaceChildren(...verdict(answer));
    byId("spoken").textContent = `${answer.names[answer.place]}, ${percent(answer.probabilities[answer.place])}`;
    showBars(byId("bars"), answer, answer.classes.map((label) => this.before?.get(label)));
    byId("legend").replaceChildren(...legend(answer));
    showMarked(byId("marked"), answer, (terms) => byId("word").replaceChildren(...countsBehind(answer, terms)));
    byId("word").replaceChildren(element("p", "remark", "Point at a marked word, or move to it with the Tab and arrow keys, to see the counts behind its weight."));
    byId("known").textContent = knownShare(answer.known, answer.all);
    byId("flip").replaceChildren(this.change(answer));
    this.showChoices();
  }

  /** The fewest words without which the answer would be another one. */
  change({ change, classes, terms }) {
    if (change) {
      const words = change.words.flatMap((word, at) => [at ? (at === change.words.length - 1 ? " and " : ", ") : "", element("mark", "p2", named(word))]);
      return element("p", "", "Without ", ...words, " the answer would be ", element("strong", "", named(change.label)), `, ${percent(change.probability)}.`);
    }
    if (classes.length < 2) return element("p", "remark", "The model has only one class.");
    return element("p", "remark", terms.length ? "No small set of words decides: without the strongest ones the answer stays the same." : "No word: only the prior decides.");
  }

  showChoices() {
    const canLearn = known.model?.learning.can_learn ?? false; // the head of the page says why not
    byId("correct").hidden = !canLearn;
    if (canLearn) showChoices(byId("choices"), labels(), this.answer?.label, (label) => this.teach(label), known.model?.learning.new_classes);
  }

  /** Alt and a digit correct the answer, also while typing. */
  pressed(event) {
    const digit = /^Digit([1-9])$/u.exec(event.code);
    if (!digit || !event.altKey || event.ctrlKey || event.metaKey || byId("try").hidden || byId("answer").hidden) return;
    const label = labels()[Number(digit[1]) - 1];
    if (label === undefined) return;
    event.preventDefault();
    this.teach(label);
  }

  /** Teaches the text that is shown, and shows what that changed. */
  async teach(label) {
    const text = this.text.value;
    if (this.isTeaching || text.trim() === "") return;
    this.isTeaching = true;
    const was = this.answer;
    await attempt(async () => {
      const outcome = await service.learn(text, label);
      this.before = was ? new Map(was.classes.map((each, at) => [each, was.probabilities[at]])) : null;
      await this.askAgain(outcome.seq);
      this.showChange(text, label, outcome, was);
    });
    this.isTeaching = false;
  }

  async askAgain(seq) {
    await refresh(seq);
    await this.ask();
  }

  showChange(text, label, outcome, was) {
    const place = byId("changed");
    const now = this.answer;
    const probability = (answer) => (answer && answer.classes.includes(label) ? percent(answer.probabilities[answer.classes.indexOf(label)]) : "not among the best classes");
    const says = { learned: ["Learned as ", named(label)], moved: ["Moved from ", named(outcome.before ?? ""), " to ", named(label)], known: ["This text is already learned as ", named(label)] }[outcome.what] ?? [outcome.what];
    const undo = outcome.what === "known" ? null : button("", () => this.takeBack(text, outcome.seq), "Undo");
    place.hidden = false;
    place.replaceChildren(
      element("p", "", ...says, ": ", element("span", "figure", `${probability(was)} → ${probability(now)}`), was && now && was.label !== now.label ? element("span", "", ". The answer changed from ", named(was.label), " to ", named(now.label)) : "", "."),
      element("p", "remark", "The line in each bar shows where it was before. ", undo),
    );
  }

  async takeBack(text, seq) {
    await attempt(async () => {
      const undone = await service.undo(seq);
      this.forgetChange();
      await this.askAgain(undone.seq);
      byId("changed").hidden = false;
      byId("changed").replaceChildren(element("p", "", "Undone: the model has not learned ", element("bdi", "", `“${shortened(text, 40)}”`), "."));
    });
  }

  forgetChange() {
    this.before = null;
    byId("changed").hidden = true;
    byId("changed").replaceChildren();
  }
}

export const start = () => new TryPart();
