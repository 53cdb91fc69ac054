// A seed goes in, questions with their answers come out: the same for everybody who has the seed.

import { Counted } from "./counted.js";
import { judged } from "./judged.js";
import { number } from "./numbers.js";

const GOOD = ["great", "fun", "lovely", "good", "bright"];
const BAD = ["dull", "slow", "bad", "weak", "boring"];
const PLAIN = ["plot", "film", "cast", "the", "a", "ending"];

/** Random numbers from 0 to 1 that follow from a seed (mulberry32). */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The number that was entered: a decimal, a fraction such as 3/34, a share such as 12%; not a number if it is none. */
export function entered(text) {
  const plain = text
    .trim()
    .replace(/\u2212/gu, "-")
    .replace(/^0?,/u, "0.");
  const [, above, below] = /^(-?[\d.]+)\s*\/\s*([\d.]+)$/u.exec(plain) ?? [];
  if (above) return Number(above) / Number(below);
  if (plain.endsWith("%")) return Number(plain.slice(0, -1)) / 100;
  return plain === "" ? NaN : Number(plain);
}

/** Whether an entry is the answer: a name, or a number to two digits that count. */
export function isRight(text, answer) {
  if (typeof answer === "string") return text.trim().toLowerCase() === answer.toLowerCase();
  const found = entered(text);
  return Math.abs(found - answer) <= Math.max(0.006 * Math.abs(answer), 1e-12);
}

/** The questions of a seed: what is asked, the answer, and how it is found. */
export function exercises(seed, preparation) {
  const random = randomOf(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const words = (list, count) => Array.from({ length: count }, () => pick(random() < 0.6 ? list : PLAIN)).join(" ");
  const rows = [];
  for (let at = 0; at < 5; at += 1) {
    const isGood = at < 2 || (at < 4 && random() < 0.3);
    rows.push({ text: words(isGood ? GOOD : BAD, 2 + Math.floor(3 * random())), label: isGood ? "+" : "-" });
  }
  const model = new Counted(rows, { variant: "multinomial", alpha: 1, prior: "counted", preparation });
  const term = pick(model.vocabulary);
  const minus = model.labels.indexOf("-");
  const plus = model.labels.indexOf("+");
  const text = [term, pick(model.vocabulary), pick(model.vocabulary)].join(" ");
  const found = model.decide(text);
  const { count, total } = model.fraction(term, plus);
  const size = model.vocabulary.length;
  const matrix = [0, 1].map(() => [0, 1].map(() => 1 + Math.floor(20 * random())));
  const [gold, measures] = [matrix[0], judged(matrix, 1)];
  const [df, tf] = [1 + Math.floor(9 * random()), 1 + Math.floor(5 * random())];
  const of = (place) =>
    found.factors.map(({ probabilities, times }) => number(probabilities[place]) + (times > 1 ? `^${times}` : "")).join(" · ");
  const joint = (place) => `${number(model.prior(place))} · ${of(place)} = ${number(Math.exp(found.joint[place]))}`;
  return {
    rows,
    matrix,
    tasks: [
      { asks: "How many different words does the table have, |V|?", answer: size, because: model.vocabulary.join(", ") },
      { asks: "What is P(-), counted?", answer: model.prior(minus), because: `${model.sizes[minus]} of 5 texts` },
      {
        asks: `What is P(${term}|+) with alpha = 1?`,
        answer: model.probability(term, plus),
        because: `(${count} + 1) / (${total} + ${size})`,
      },
      {
        asks: `What is P(${term}|+) / P(${term}|-) with alpha = 1?`,
        answer: model.probability(term, plus) / model.probability(term, minus),
        because: `${number(model.probability(term, plus))} / ${number(model.probability(term, minus))}`,
      },
      { asks: `What is P(-) P(${text}|-)?`, answer: Math.exp(found.joint[minus]), because: joint(minus) },
      {
        asks: `Which class does “${text}” get, + or -?`,
        answer: model.labels[found.place],
        because: `+: ${joint(plus)}; -: ${joint(minus)}`,
      },
      {
        asks: "In the matrix, what is the precision of +?",
        answer: measures.classes[0].precision,
        because: `${gold[0]} / (${gold[0]} + ${matrix[1][0]})`,
      },
      { asks: "What is the recall of +?", answer: measures.classes[0].recall, because: `${gold[0]} / (${gold[0]} + ${gold[1]})` },
      { asks: "What is F1 of +?", answer: measures.classes[0].f, because: "2PR / (P + R)" },
      { asks: "What is the macro-averaged precision?", answer: measures.macro.precision, because: "the mean of both precisions" },
      {
        asks: `A word occurs ${tf} times in a text, and in ${df} of 10 texts. What is (1 + ln tf) · ln(N / df)?`,
        answer: (1 + Math.log(tf)) * Math.log(10 / df),
        because: `(1 + ln ${tf}) · ln(10 / ${df})`,
      },
    ],
  };
}
