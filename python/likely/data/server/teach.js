// Teach: a queue of texts to label, most instructive first, with keys, undo, an honest estimate and advice when to stop.

import { showChoices } from "./answer.js";
import { csvOf } from "./csv.js";
import { byId, element, named, printable } from "./dom.js";
import { advice, kappa, wilson } from "./estimate.js";
import { counted, percent, thousands } from "./numbers.js";
import { Pool } from "./pool.js";
import { Queue, uncertainty } from "./queue.js";
import { ServedPool } from "./served_pool.js";
import * as service from "./service.js";
import { attempt, known, labels, onChange, refresh } from "./state.js";

/** The accuracy is estimated from this many of the last texts that were drawn at random. */
const LATEST = 30;

/**
 * @typedef {{id: number, text: string, uncertainty: number, answer: Label | null, label: Label | undefined}} Item
 * @typedef {import("./state.js").Label} Label
 * @typedef {{item: Item, isCheck: boolean, label?: Label, seq?: number | null, guess?: {label: Label, probability: number} | null}} Step
 */

class TeachPart {
  name = "";
  queue = new Queue([]);
  /** @type {Step[]} in the order of the answers */
  done = [];
  /** @type {number[]} */
  kappas = [];
  /** @type {number | null} */
  moved = null;
  /** @type {Step | null} */
  current = null;

  constructor() {
    new Pool((texts, name) => this.begin(texts, name));
    this.served = new ServedPool((texts, name) => this.begin(texts, name));
    byId("skip").addEventListener("click", () => this.skip());
    byId("undo-label").addEventListener("click", () => this.undo());
    byId("export").addEventListener("click", () => this.save());
    byId("leave").addEventListener("click", () => {
      this.show(false);
      this.served.offer();
    });
    document.addEventListener("keydown", (event) => this.pressed(event));
    onChange(() => {
      this.showWhetherItLearns();
      this.showLabels();
      this.open();
    });
  }

  /** Called when the tab is opened: offers the list of the server. */
  open() {
    return this.served.offer();
  }

  showWhetherItLearns() {
    const canLearn = known.model?.learning.can_learn ?? false;
    byId("cannot-teach").hidden = canLearn;
    byId("cannot-teach").textContent = canLearn ? "" : `The model cannot learn now: ${known.model?.learning.why_not}`;
    byId("drop").hidden = !canLearn;
  }

  async begin(texts, name) {
    this.name = name;
    this.queue = new Queue(texts);
    this.done = [];
    this.kappas = [];
    this.moved = null;
    this.current = null;
    this.show(true);
    await this.advance();
    byId("asked").focus();
  }

  show(isLabelling) {
    byId("queue").hidden = !isLabelling;
    byId("pool").hidden = isLabelling;
  }

  get isOpen() {
    return !byId("teach").hidden && !byId("queue").hidden;
  }

  /** Predicts what is left, compares with the last round, and plans the next one. */
  async rank() {
    const items = this.queue.candidates();
    if (labels().length < 2) return this.queue.plan(items);
    const found = await service.predict(items.map((item) => item.text));
    const before = [];
    const after = [];
    items.forEach((item, at) => {
      const best = found[at].labels[0].label;
      if (item.answer !== null) {
        before.push(item.answer);
        after.push(best);
      }
      item.answer = best;
      item.uncertainty = uncertainty(found[at].labels.map((each) => each.probability));
    });
    if (before.length >= LATEST) {
      this.kappas.push(kappa(before, after) ?? 1);
      this.moved = before.filter((label, at) => label !== after[at]).length / before.length;
    }
    return this.queue.plan(items);
  }

  /** Goes to the next text, and asks the model, as it is after an entry, for its answer before it is labelled. */
  async advance(seq = 0) {
    this.current = null;
    await attempt(async () => {
      if (seq) await refresh(seq);
      if (this.queue.isDue) await this.rank();
      const step = this.queue.next();
      if (step) await this.guess(step).catch((error) => {
        this.queue.putBack(step);
        throw error;
      });
      this.current = step;
    });
    this.showStep();
    if (byId("labels").contains(document.activeElement)) byId("asked").focus({ preventScroll: true });
  }

  async guess(step) {
    step.guess = null;
    if (labels().length < 2) return;
    const [{ labels: found }] = await service.predict([step.item.text], 1);
    step.guess = found[0];
  }

  /** Does one thing at a time: what is pressed meanwhile is not done, and that is said. */
  async alone(what, does) {
    if (this.isBusy) {
      byId("missed").textContent = `Too early, so it did nothing: ${what}. Wait for the next text.`;
      return;
    }
    this.isBusy = true;
    byId("missed").textContent = "";
    await does();
    this.isBusy = false;
  }

  label(label) {
    return this.alone(String(label), async () => {
      const step = this.current;
      if (!step) return;
      /** @type {{what: string, seq: number} | undefined} */
      let outcome;
      await attempt(async () => {
        outcome = await service.learn(step.item.text, label, "page: queue");
      });
      if (!outcome) return;
      step.item.label = label;
      this.done.push({ ...step, label, seq: outcome.what === "known" ? null : outcome.seq });
      await this.advance(outcome.seq);
    });
  }

  skip() {
    return this.alone("skip", () => {
      if (this.current) this.done.push({ ...this.current, label: undefined, seq: null });
      return this.advance();
    });
  }

  /** Takes the last answer back, whatever it was, and asks about its text again: at once, so that a key labels what is shown. */
  undo() {
    return this.alone("undo", async () => {
      const last = this.done.at(-1);
      if (!last) return;
      /** @type {{seq: number} | null | undefined} */
      let undone;
      await attempt(async () => {
        undone = last.seq === null ? null : await service.undo(last.seq);
      });
      if (undone === undefined) return;
      this.done.pop();
      if (this.current) this.queue.putBack(this.current);
      last.item.label = undefined;
      const step = (this.current = { item: last.item, isCheck: last.isCheck });
      this.showStep();
      attempt(async () => { // nobody need wait for that
        await refresh(undone?.seq);
        await this.guess(step);
        if (this.current === step) this.showStep();
      });
    });
  }

  /** Digits label, S skips and U undoes, unless the reader is typing. */
  pressed(event) {
    if (!this.isOpen || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, dialog")) return;
    const key = event.key.toLowerCase();
    const label = /^[1-9]$/u.test(key) ? labels()[Number(key) - 1] : undefined;
    if (label !== undefined) this.label(label);
    else if (key === "s") this.skip();
    else if (key === "u") this.undo();
    else return;
    event.preventDefault();
  }

  showStep() {
    const step = this.current;
    const left = this.queue.left.length;
    byId("queue-title").textContent = step ? "Which class?" : left ? "The next text could not be asked about" : "The list is done";
    byId("asked").hidden = !step;
    byId("asked").textContent = step?.item.text ?? "";
    byId("progress").textContent = `${printable(this.name)} · ${counted(left + (step ? 1 : 0), "text")} left`;
    const guess = byId("guess");
    if (step?.guess) guess.replaceChildren("The model would say ", element("strong", "", named(step.guess.label)), `, ${percent(step.guess.probability)}.`);
    else guess.textContent = step ? "The model has no opinion yet." : "";
    byId("skip", HTMLButtonElement).disabled = !step && !left;
    byId("undo-label", HTMLButtonElement).disabled = !this.done.length;
    byId("export", HTMLButtonElement).disabled = !this.labelled().length;
    this.showLabels();
    this.showFigures();
  }

  showLabels() {
    if (byId("queue").hidden) return;
    byId("labels").hidden = !this.current;
    showChoices(byId("labels"), labels(), undefined, (label) => this.label(label), known.model?.learning.new_classes);
  }

  labelled() {
    return this.done.filter((step) => step.label !== undefined);
  }

  showFigures() {
    const labelled = this.labelled();
    const checks = labelled.filter((step) => step.isCheck && step.guess).slice(-LATEST); // the model was worse before
    const right = checks.filter((step) => step.guess?.label === step.label).length;
    byId("labelled").textContent = thousands(labelled.length);
    if (checks.length >= LATEST) {
      const [low, high] = wilson(right, checks.length);
      byId("accuracy").textContent = `${percent(right / checks.length, 0)} (${percent(low, 0).slice(0, -1)}-${percent(high, 0)})`;
    } else byId("accuracy").textContent = checks.length ? "too few yet" : "–";
    byId("estimate-says").textContent = checks.length
      ? `From the last ${counted(checks.length, "text")} that were drawn at random, each predicted before it was labelled: ${right} right${checks.length < LATEST ? `; an estimate needs ${LATEST}` : "; 95% interval"}.`
      : "Every third text is drawn at random. The model predicts it before you label it, which gives an honest estimate.";
    byId("moved").textContent = this.moved === null ? "–" : percent(this.moved);
    const smallest = Math.min(...known.classes.map((each) => each.documents));
    const { says, stop } = advice({ classes: known.classes.length, smallest, kappas: this.kappas, checks: checks.length, left: this.queue.left.length + (this.current ? 1 : 0) });
    byId("advice").textContent = says;
    byId("advice").classList.toggle("stop", stop);
  }

  /** The labels as a CSV file, with what the model would have said. */
  save() {
    const rows = this.labelled().map((step) => [step.item.text, step.label, step.guess?.label ?? "", step.guess ? step.guess.probability.toFixed(4) : ""]);
    const csv = csvOf([["text", "label", "predicted_before", "probability"], ...rows]);
    const link = element("a", "");
    link.href = URL.createObjectURL(new Blob(["\ufeff", csv], { type: "text/csv" }));
    link.download = "labels.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}

export const start = () => new TeachPart();
