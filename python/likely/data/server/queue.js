// A pool of texts goes in; the text to label next comes out: the most uncertain ones, each unlike those before it.

/** Every third text is drawn at random: only these say how accurate the model is, because uncertain texts are harder. */
const CHECK_EVERY = 3;
/** After this many labels the texts are ranked again. */
export const ROUND = 9;
/** With this many texts each one is compared, to see whether it is like many others. */
const NEIGHBOURS = 25;
/** At most this many texts are ranked at a time. */
export const RANKED = 1000;

/** Random numbers from 0 to 1 that are the same in every session (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The distinct words of the beginning of a text. */
export function wordsOf(text) {
  return new Set(text.slice(0, 4000).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [...text.slice(0, 200)]);
}

/** The share of words that two texts have in common (Jaccard). */
export function similarity(a, b) {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const word of small) if (large.has(word)) common += 1;
  return common ? common / (a.size + b.size - common) : 0;
}

/** How uncertain an answer is, from 0 to 1: the odds of the second class against the best one. */
export function uncertainty(probabilities) {
  const [first = 1, second = 0] = [...probabilities].sort((a, b) => b - a);
  return second / first;
}

/** The ranks of numbers, from 0 for the smallest to 1 for the largest; equal numbers have the same rank. */
function ranks(numbers) {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const rank = new Map(sorted.map((each, at) => [each, sorted.length === 1 ? 1 : at / (sorted.length - 1)]));
  return numbers.map((each) => rank.get(each));
}

/**
 * Picks items one after the other: uncertain ones that are like many others and unlike those picked before
 * (information density, Settles and Craven 2008). Naive Bayes is overconfident, so only ranks of its answers count.
 */
export function picked(items, many) {
  const uncertain = ranks(items.map((item) => item.uncertainty));
  for (const item of items) item.words ??= wordsOf(item.text);
  const step = Math.max(1, Math.floor(items.length / NEIGHBOURS));
  const some = items.filter((_, at) => at % step === 0);
  const dense = ranks(items.map((item) => some.reduce((sum, other) => sum + (other === item ? 0 : similarity(item.words, other.words)), 0)));
  const left = items.map((item, at) => ({ item, worth: (0.05 + uncertain[at]) * (0.5 + dense[at]), nearest: 0 }));
  const found = [];
  while (found.length < many && left.length) {
    let best = 0;
    const worth = (each) => each.worth * (1 - each.nearest);
    for (let at = 1; at < left.length; at += 1) if (worth(left[at]) > worth(left[best])) best = at;
    const [{ item }] = left.splice(best, 1);
    found.push(item);
    for (const each of left) each.nearest = Math.max(each.nearest, similarity(item.words, each.item.words));
  }
  return found;
}

/** The order in which texts are asked about. Each item has a `text`, and after a ranking an `uncertainty` and an `answer`. */
export class Queue {
  constructor(texts) {
    this.items = [...new Set(texts)].map((text, id) => ({ id, text, uncertainty: 1, answer: null, label: undefined }));
    this.left = [...this.items];
    this.random = randomNumbers(16);
    this.round = [];
    this.asked = 0;
  }

  /** The items to predict before the next round: all that are left, or a random part of them. */
  candidates() {
    if (this.left.length <= RANKED) return this.left;
    const drawn = [...this.left];
    for (let at = 0; at < RANKED; at += 1) {
      const other = at + Math.floor(this.random() * (drawn.length - at));
      [drawn[at], drawn[other]] = [drawn[other], drawn[at]];
    }
    return drawn.slice(0, RANKED);
  }

  /** Whether texts have to be ranked before the next one can be given. */
  get isDue() {
    return this.round.length === 0 && this.left.length > 0;
  }

  /** Plans a round: uncertain and diverse items, and every third drawn at random from all. */
  plan(candidates) {
    const uncertain = picked(candidates, ROUND);
    const taken = new Set();
    this.round = [];
    while (this.round.length < Math.min(ROUND, this.left.length)) {
      const isCheck = (this.asked + this.round.length) % CHECK_EVERY === CHECK_EVERY - 1;
      const free = isCheck ? this.left.filter((item) => !taken.has(item)) : uncertain.filter((item) => !taken.has(item));
      if (!free.length) break;
      const item = isCheck ? free[Math.floor(this.random() * free.length)] : free[0];
      taken.add(item);
      this.round.push({ item, isCheck });
    }
  }

  /** The text to ask about next, or null. */
  next() {
    const step = this.round.shift() ?? null;
    if (!step) return null;
    this.asked += 1;
    this.left = this.left.filter((item) => item !== step.item);
    return step;
  }

  /** Puts a text back in front: an undo, or a text that was shown when something went wrong. */
  putBack(step) {
    this.asked -= 1;
    this.left.push(step.item);
    this.round.unshift(step);
  }
}
