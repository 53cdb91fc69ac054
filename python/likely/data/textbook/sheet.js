// Parts of the page that need no table of texts: Bayes' rule, given probabilities, a confusion matrix, exercises.

import { CENTURIES, GIVEN } from "./corpora.js";
import { byId, element } from "./dom.js";
import { exercises } from "./exercises.js";
import { figure, grid, numberCell, row } from "./grid.js";
import { Question } from "./guesses.js";
import { judged } from "./judged.js";
import { number, percent } from "./numbers.js";

const numberIn = (id) => Number(byId(id, HTMLInputElement).value);

const RULE = ["rule-given", "rule-prior", "rule-evidence", "rule-all", "rule-a", "rule-b", "rule-both"];

/** Shows Bayes' rule, now and whenever a number changes. */
export function ruleOfBayes() {
  for (const id of RULE) byId(id).addEventListener("input", showRule);
  showRule();
}

/** Bayes' rule with numbers that the reader gives. */
function showRule() {
  const [given, prior, evidence] = ["rule-given", "rule-prior", "rule-evidence"].map(numberIn);
  const found = (given * prior) / evidence;
  const isShare = [given, prior, evidence].every((each) => each >= 0 && each <= 1) && given * prior <= evidence && evidence > 0;
  byId("rule").replaceChildren(
    ...(isShare
      ? [`P(A|B) = ${given} · ${prior} / ${evidence} = `, figure(found), `, ${percent(found)}`]
      : ["These cannot be probabilities of the same events: P(B|A) · P(A) is at most P(B), and P(B) is above 0."]),
  );
  const [all, a, b, both] = ["rule-all", "rule-a", "rule-b", "rule-both"].map(numberIn);
  const isCount = both <= Math.min(a, b) && Math.max(a, b) <= all && a + b - both <= all && both >= 0 && a > 0 && b > 0;
  byId("rule-counts").replaceChildren(
    ...(isCount
      ? [
          "P(A) = ",
          figure(a / all),
          ", P(A∩B) = ",
          figure(both / all),
          ", P(A|B) = ",
          figure(both / b),
          ", P(B|A) = ",
          figure(both / a),
        ]
      : ["These cannot be numbers of the same tweets: both is at most A and at most B, and A or B at most all."]),
  );
}

/** Probabilities that are given and not counted: two language models of the textbook. */
export function showGiven() {
  const products = GIVEN.labels.map((_, at) => GIVEN.words.reduce((product, each) => product * Number(each[at + 1]), 1));
  const rows = GIVEN.words.map(([word, ...given]) =>
    row("td", [element("th", "word", String(word)), ...given.map((value) => numberCell(value, String(value)))]),
  );
  const sums = row("td", [element("th", "word", "product"), ...products.map((value) => numberCell(value, ""))]);
  byId("given").replaceChildren(
    grid(`Given P(w|c): P(“${GIVEN.text}”|c)`, ["word", ...GIVEN.labels.map((label) => `P(w|${label})`)], rows, [sums]),
  );
}

/** The confusion matrix, which the reader edits, and what follows from it. */
export class Confusion {
  constructor() {
    this.labels = CENTURIES.labels;
    this.matrix = CENTURIES.matrix.map((each) => each.slice());
    const rows = this.labels.map((label, gold) =>
      row("td", [
        element("th", "word", label),
        ...this.labels.map((other, predicted) => {
          const field = element("input", "");
          field.value = String(this.matrix[gold][predicted]);
          field.inputMode = "numeric";
          field.ariaLabel = `Texts of ${label}, predicted as ${other}`;
          field.addEventListener("input", () => {
            this.matrix[gold][predicted] = Math.max(0, Math.floor(Number(field.value) || 0));
            this.show();
          });
          return element("td", "", field);
        }),
      ]),
    );
    byId("confusion").replaceChildren(
      element(
        "table",
        "",
        element("caption", "", "Gold labels (rows) and predictions (columns): type into the cells"),
        element("thead", "", row("th", ["", ...this.labels])),
        element("tbody", "", ...rows),
      ),
    );
    this.question = new Question();
    byId("guess-measures").append(this.question.form);
    byId("beta").addEventListener("input", () => this.show());
    this.show();
  }

  show() {
    const beta = Math.max(0, numberIn("beta") || 0);
    const { classes, macro, micro, accuracy, documents } = judged(this.matrix, beta);
    const cell = (value, whole = false) =>
      numberCell(value === null ? NaN : value, value === null ? "0/0" : whole ? String(value) : number(value), "", -1, false);
    const line = (name, { tp, fp, fn, tn, precision, recall, f }) =>
      row("td", [
        element("th", "word", name),
        ...[tp, fp, fn, tn].map((each) => (each === undefined ? "" : cell(each, true))),
        ...[precision, recall, f].map((each) => cell(each)),
      ]);
    const rows = classes.map((each, at) => line(this.labels[at], each));
    const sums = [line("macro: the mean of the classes", /** @type {*} */ (macro)), line("micro: the pooled table", micro)];
    byId("measures").replaceChildren(
      grid(
        `${documents} predictions`,
        ["class", "tp", "fp", "fn", "tn", "precision", "recall", beta === 1 ? "F1" : `F${number(beta)}`],
        rows,
        sums,
      ),
      element("p", "", "Accuracy: ", figure(accuracy === null ? NaN : accuracy)),
    );
    const [first] = classes;
    this.question.ask(
      `Guess first: what is the precision of ${this.labels[0]}?`,
      first.precision ?? "0/0",
      `${first.tp} / (${first.tp} + ${first.fp})`,
    );
  }
}

/** Exercises that follow from a seed. */
export class Exercises {
  constructor(preparation) {
    this.preparation = preparation;
    byId("seed").addEventListener("input", () => this.show());
    this.show();
  }

  show() {
    const { rows, matrix, tasks } = exercises(numberIn("seed") || 0, this.preparation);
    const table = grid(
      "The texts of this sheet",
      ["text", "class"],
      rows.map(({ text, label }) => row("td", [text, label])),
    );
    const confusion = grid(
      "Its confusion matrix: gold labels (rows) and predictions (columns)",
      ["", "+", "-"],
      matrix.map((each, at) =>
        row("td", [element("th", "word", "+-"[at]), ...each.map((count) => figure(count, String(count)))]),
      ),
    );
    const list = tasks.map(({ asks, answer, because }) => {
      const question = new Question("exercise");
      question.ask(asks, answer, because);
      return element("li", "", question.form);
    });
    byId("exercise-list").replaceChildren(table, confusion, element("ol", "exercises", ...list));
  }
}
