// The numbers of a model as tables: counts, probabilities, the decision on a text, and what else follows from them.

import { frequencies } from "./counted.js";
import { element, named } from "./dom.js";
import { figure, grid, linked, numberCell, row, shownNumber, wordCell } from "./grid.js";
import { counted, percent } from "./numbers.js";

const SHOWN_WORDS = 60;
const SHOWN_CLASSES = 8;
export const REPEATS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500];
const LOG_NAMES = { 2: "log₂", 10: "log₁₀" };

/** A text with its words marked as terms of a class. */
export function tokenLine(text, terms, place) {
  const nodes = [];
  let at = 0;
  for (const { term, start, end } of terms) {
    if (start < at) continue; // within an n-gram that was shown
    nodes.push(text.slice(at, start), linked(element("span", "token", text.slice(start, end)), term, place));
    at = end;
  }
  return [...nodes, text.slice(at)];
}

/** The classes that tables show, the words that they show, and how both are written. */
class Shown {
  constructor(model, text, base) {
    this.model = model;
    this.places = model.labels.slice(0, SHOWN_CLASSES).map((_, place) => place);
    const own = Array.from(model.read(text).known.keys());
    const frequency = new Map(
      model.vocabulary.map((term) => [term, model.counts.get(term).reduce((sum, each) => sum + each, 0)]),
    );
    const order =
      model.vocabulary.length > SHOWN_WORDS
        ? [...own, ...model.vocabulary.filter((term) => !own.includes(term)).sort((a, b) => frequency.get(b) - frequency.get(a))]
        : model.vocabulary;
    this.words = order.slice(0, SHOWN_WORDS);
    this.hidden = model.vocabulary.length - this.words.length;
    this.base = base;
    this.logName = LOG_NAMES[base] ?? "log";
  }

  log(value) {
    return Math.log(value) / Math.log(this.base);
  }

  /** (1+1)/(14+1·20), as the textbook writes it. */
  fraction(term, place) {
    const { count, total, times } = this.model.fraction(term, place);
    const { alpha } = this.model.choices;
    return alpha === 0 ? `${count}/${total}` : `(${count}+${alpha})/(${total}+${alpha}·${times})`;
  }

  heads(before, ...after) {
    const head = (name, place) => linked(element("span", "", name, "(w|", named(this.model.labels[place]), ")"), "", place);
    return [before, ...this.places.flatMap((place) => after.map((name) => head(name, place)))];
  }
}

/** The text as a bag of words: each word with how often it occurs, and whether the model knows it. */
function bag({ model }, text) {
  const found = frequencies(model.analyzer.terms(text));
  const { unknown } = model.read(text);
  const rows = Array.from(found, ([term, count]) =>
    row("td", [wordCell(term), numberCell(count, String(count), term), unknown.includes(term) ? "unknown: ignored" : "known"]),
  );
  return [grid("The text as a bag of words", ["word", "count", ""], rows)];
}

/** Documents per class, words per class, and how often each class has each word. */
function counts(shown) {
  const { model, places } = shown;
  const name = (place) => linked(element("span", "", named(model.labels[place])), "", place);
  const priors = places.map((place) =>
    row("td", [
      linked(element("th", "word", named(model.labels[place])), "", place),
      numberCell(model.sizes[place], String(model.sizes[place]), "", place),
      numberCell(
        model.prior(place),
        model.choices.prior === "counted" ? `${model.sizes[place]}/${model.documents.length}` : "",
        "",
        place,
      ),
    ]),
  );
  const rows = shown.words.map((term) =>
    row("td", [
      wordCell(term),
      ...places.map((place) => {
        const count = model.counts.get(term)[place];
        return numberCell(count, String(count), term, place, count === 0 && model.choices.alpha === 0);
      }),
    ]),
  );
  const what =
    model.choices.variant === "multinomial"
      ? "How often each class has each word"
      : "How many texts of each class have each word";
  const sums = row("td", [
    element("th", "word", "all words, N"),
    ...places.map((place) => numberCell(model.totals[place], String(model.totals[place]), "", place)),
  ]);
  const size = counted(model.vocabulary.length, "different word");
  return [
    grid("Texts of each class, N_c, and the prior P(c)", ["class", "texts", "P(c)"], priors),
    grid(`${what}: |V| = ${size}`, ["word", ...places.map(name)], rows, [sums]),
    ...moreWords(shown),
  ];
}

const moreWords = ({ hidden }) =>
  hidden ? [element("p", "remark", `${counted(hidden, "more word")} counted, but not shown.`)] : [];

/** P(w|c) of each word, and how it tells the predicted class from its rival: ratio and logarithm. */
function chances(shown, decision, rival) {
  const { model, places, words } = shown;
  const [best, other] = [decision.place, rival];
  const rows = words.map((term) => {
    const cells = places.map((place) =>
      numberCell(
        model.probability(term, place),
        `${shown.fraction(term, place)} = ${shownNumber(model.probability(term, place))}`,
        term,
        place,
      ),
    );
    const ratio = model.probability(term, best) / model.probability(term, other);
    return row("td", [
      wordCell(term),
      ...cells,
      numberCell(ratio, "", term, -1, false),
      numberCell(shown.log(ratio), "", term, -1, false),
    ]);
  });
  const ratioName = element("span", "", "P(w|", named(model.labels[best]), ") / P(w|", named(model.labels[other]), ")");
  const sums = row("td", [
    element("th", "word", "sum"),
    ...places.map((place) => numberCell(model.sureness(place), "", "", place)),
    "",
    "",
  ]);
  return [
    grid(
      model.isBernoulli ? "P(w|c): the share of texts with the word" : "P(w|c): the share of the word among all words",
      [...shown.heads("word", "P"), ratioName, shown.logName],
      rows,
      [sums],
    ),
    ...moreWords(shown),
  ];
}

/** The product, its logarithm, and the posterior, class by class. */
function answer(shown, decision) {
  const { model, places } = shown;
  const cells = (of) => places.flatMap(of);
  const prior = row("td", [
    element("th", "word", "P(c)"),
    ...cells((place) => [
      numberCell(model.prior(place), "", "", place),
      numberCell(shown.log(model.prior(place)), "", "", place, false),
    ]),
  ]);
  const rows = decision.factors.slice(0, SHOWN_WORDS).map(({ term, isThere, times, probabilities }) => {
    const word = wordCell(term);
    if (!isThere) word.prepend("no ");
    if (times > 1) word.append(` ×${times}`);
    return row("td", [
      word,
      ...cells((place) => {
        const fraction = isThere ? shown.fraction(term, place) : `1−${shown.fraction(term, place)}`;
        const text = times > 1 ? `(${fraction})^${times}` : fraction;
        const value = probabilities[place] ** times;
        return [
          numberCell(value, text, term, place),
          numberCell(times * shown.log(probabilities[place]), "", term, place, false),
        ];
      }),
    ]);
  });
  const joint = row("td", [
    element("th", "word", "product, sum"),
    ...cells((place) => [
      numberCell(Math.exp(decision.joint[place]), "", "", place),
      numberCell(decision.joint[place] / Math.log(shown.base), "", "", place, false),
    ]),
  ]);
  const posterior = row("td", [
    element("th", "word", "P(c|text)"),
    ...cells((place) => [
      numberCell(
        decision.posterior ? decision.posterior[place] : NaN,
        decision.posterior ? percent(decision.posterior[place]) : "0/0",
        "",
        place,
      ),
      "",
    ]),
  ]);
  posterior.id = "posterior";
  const hidden = decision.factors.length - rows.length;
  const more = hidden > 0 ? [element("p", "remark", `${counted(hidden, "more factor")} multiplied, but not shown.`)] : [];
  return [
    grid(
      "P(c) times the product of P(w|c), and the sum of the logarithms",
      shown.heads("factor", "P", shown.logName),
      [prior, ...rows],
      [joint, posterior],
    ),
    ...more,
  ];
}

/** The decision in one sentence. */
export function sentence({ labels }, { posterior, place, joint }) {
  if (!posterior) return ["Every class is impossible: 0/0. Without smoothing, a single unseen word decides everything."];
  const ties = joint.filter((log) => Math.abs(log - joint[place]) < 1e-12).length;
  const name = element("strong", "", named(labels[place]));
  if (ties > 1) return ["A tie: ", name, ` and ${counted(ties - 1, "other class", "other classes")} are equally probable.`];
  return ["The class is ", name, `, with ${percent(posterior[place])}.`];
}

/** The same text again and again: the product becomes 0, the sum of logarithms does not. */
function underflow(shown, text, { joint, likelihood }) {
  const { model, places } = shown;
  const rows = REPEATS.map((times) =>
    row("td", [
      element("th", "word", String(times)),
      ...places.flatMap((place) => {
        const log = joint[place] + (times - 1) * likelihood[place];
        const product = model.product(text, place, times);
        return [
          numberCell(product, "", "", place, product === 0 && log > -Infinity),
          numberCell(log / Math.log(shown.base), "", "", place, false),
        ];
      }),
    ]),
  );
  return [
    grid(
      "The text repeated: its product as a computer multiplies it, and the sum of logarithms",
      shown.heads("times", "∏ P", `∑ ${shown.logName} P`),
      rows,
    ),
  ];
}

/** One word of the text repeated: naive Bayes counts each time as new evidence. */
function repeated(shown, text, word) {
  const { model, places } = shown;
  const rows = [1, 2, 3, 4, 5, 10].map((times) => {
    const { posterior } = model.decide(`${text} ${`${word} `.repeat(times - 1)}`);
    return row("td", [
      element("th", "word", String(times)),
      ...places.map((place) =>
        numberCell(posterior ? posterior[place] : NaN, posterior ? percent(posterior[place], 2) : "0/0", "", place),
      ),
    ]);
  });
  return [grid(`“${word}” repeated: P(c|text)`, ["times", ...places.map((place) => named(model.labels[place]))], rows)];
}

/** The class as a language model: the probability of the text, and its perplexity. */
function language(shown, text) {
  const { model, places } = shown;
  const known = frequencies(model.analyzer.terms(text).filter(({ term }) => model.counts.has(term)));
  const length = Array.from(known.values()).reduce((sum, count) => sum + count, 0);
  const rows = places.map((place) => {
    let log = 0;
    for (const [term, count] of known) log += count * Math.log(model.probability(term, place));
    return row("td", [
      wordCell("", place),
      numberCell(Math.exp(log), "", "", place),
      numberCell(log / Math.log(shown.base), "", "", place, false),
      numberCell(length ? Math.exp(-log / length) : NaN, "", "", place),
    ]);
  });
  rows.forEach((each, at) => each.cells[0].replaceChildren(named(model.labels[places[at]])));
  return [
    grid("The known words of the text as a sentence of each class", ["class", "P(text|c)", shown.logName, "perplexity"], rows),
  ];
}

/** tf-idf of the words of each text. */
function weights(shown) {
  const { model, base } = shown;
  const rows = model.documents.slice(0, 12).flatMap((document, at) =>
    model
      .tfIdf(document, base)
      .slice(0, 20)
      .map(({ term, tf, df, weight }) =>
        row("td", [
          element("td", "", String(at + 1)),
          wordCell(term, document.place),
          numberCell(tf, String(tf), term),
          numberCell(df, String(df), term),
          numberCell(weight, "", term),
        ]),
      ),
  );
  return [
    grid(
      `(1 + ${shown.logName} tf) · ${shown.logName}(N / df), N = ${model.documents.length}`,
      ["text", "word", "tf", "df", "weight"],
      rows,
    ),
  ];
}

/** The place of the best class besides the predicted one. */
export function rivalOf({ joint, place }) {
  const others = joint.map((_, at) => at).filter((at) => at !== place);
  return others.reduce((best, at) => (joint[at] > joint[best] ? at : best), others[0]);
}

/** All tables of a model, by the id of their place in the page. */
export function tables(model, { text, base, word }) {
  const shown = new Shown(model, text, base);
  const decision = model.decide(text);
  return {
    decision,
    parts: {
      bag: bag(shown, text),
      counts: counts(shown),
      chances: chances(shown, decision, rivalOf(decision)),
      answer: answer(shown, decision),
      underflow: underflow(shown, text, decision),
      repeated: repeated(shown, text, word),
      language: language(shown, text),
      weights: weights(shown),
    },
  };
}
