// Questions that the page asks before it shows, and those of the exercises: a field, a check, and how the answer is found.

import { REPEATS, rivalOf } from "./blackboard.js";
import { element } from "./dom.js";
import { isRight } from "./exercises.js";
import { shownNumber } from "./grid.js";

let made = 0;

/** A question with a field. `ask` gives it another question, answer and reason. */
export class Question {
  constructor(kind = "guess") {
    made += 1;
    this.label = element("label", "");
    this.field = element("input", "");
    this.field.id = this.label.htmlFor = `question-${made}`;
    this.field.autocomplete = "off";
    this.button = element("button", "", "Check");
    this.told = element("output", "");
    this.form = element("form", kind, this.label, element("span", "entry", this.field, this.button), this.told);
    this.asked = { asks: "", answer: /** @type {string | number} */ (NaN), because: "" };
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
  }

  ask(asks, answer, because) {
    if (asks === this.asked.asks && Object.is(answer, this.asked.answer)) return;
    this.asked = { asks, answer, because };
    this.label.textContent = asks;
    this.field.value = "";
    this.told.textContent = "";
    this.told.className = "";
  }

  check() {
    const { answer, because } = this.asked;
    const right = isRight(this.field.value, answer);
    this.told.className = right ? "right" : "wrong";
    const shown = typeof answer === "string" ? answer : shownNumber(answer);
    if (this.field.value.trim() === "") this.told.textContent = "Write a number, a fraction such as 3/34, or a class.";
    else this.told.textContent = right ? `Right: ${because}.` : `Not yet. It is ${shown}: ${because}.`;
  }
}

/** What is asked before each table: the question, its answer, and why. */
export function questionsOf(model, decision, text, term) {
  const [best, rival] = [decision.place, rivalOf(decision)];
  const [label, other] = [model.labels[best], model.labels[rival]];
  const { count, total, times } = model.fraction(term, best);
  const { alpha } = model.choices;
  const words = model.analyzer.terms(text).length;
  const zero = REPEATS.find((repeats) => model.product(text, best, repeats) === 0);
  const twice = model.decide(`${text} ${term}`).posterior;
  const [first] = model.documents[0].counts.keys();
  const df = model.documents.filter(({ counts }) => counts.has(first)).length;
  return {
    bag: ["Guess first: how many words does the text have, repeated ones included?", words, "each occurrence counts"],
    counts: [
      `Guess first: what is P(${label})?`,
      model.prior(best),
      `${model.sizes[best]} of ${model.documents.length} texts, unless you chose another prior`,
    ],
    chances: [
      `Guess first: what is P(${term}|${label})?`,
      model.probability(term, best),
      `(${count} + ${alpha}) / (${total} + ${alpha} · ${times})`,
    ],
    answer: ["Guess first: which class does the text get?", label, `its sum of logarithms is the largest, before ${other}`],
    underflow: [
      `Guess first: at which repetition in the table does the product of ${label} become 0, or “never”?`,
      zero ?? "never",
      "a double has no positive number below 5·10⁻³²⁴",
    ],
    repeated: [
      `Guess first: what is P(${label}|text) if “${term}” is added once more?`,
      twice ? twice[best] : "0/0",
      "the same factor is multiplied again, as if the word were new evidence",
    ],
    language: [
      "Guess first: what is the perplexity of a class that has just two words, equally probable?",
      2,
      "perplexity is the number of equally probable words that a class hesitates between",
    ],
    weights: [`Guess first: in how many texts is “${first}” (df)?`, df, "a word that is in all texts gets the weight 0"],
  };
}
