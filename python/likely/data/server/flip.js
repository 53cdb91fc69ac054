// Why a text gets its class goes in; the fewest words without which it would get another one come out.
//
// The score of a class is a sum over the terms, so that the words that speak most for the answer against another class are
// the fewest that can turn it. Removing a word also removes the phrases that it is part of, and may join new ones, so
// the server has the last word: it is asked about the text without the first word, the first two, and so on.

import { difference } from "./answer.js";

const MOST_WORDS = 15;
const MOST_RIVALS = 3;
const MOST_CHARACTERS = 1_000_000;

/** The parts that can be removed: terms whose places contain no place of a shorter term. */
export function parts(terms) {
  const edges = new Map();
  for (const term of terms) for (const [start, end] of term.spans) if (!(edges.get(start) <= end)) edges.set(start, end);
  const starts = [...edges.keys()].sort((a, b) => a - b);
  const holdsShorter = ([start, end]) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle] < start) low = middle + 1;
      else high = middle;
    }
    for (; low < starts.length && starts[low] < end; low += 1) {
      const stop = edges.get(starts[low]);
      if (stop <= end && stop - starts[low] < end - start) return true;
    }
    return false;
  };
  return terms.filter((term) => term.spans.length && !term.spans.some(holdsShorter));
}

/** Parts in the order in which their removal helps another class most. */
export function order(answer, rival) {
  const weightOf = (term) => difference(term.contribution, answer.place, rival);
  const cells = new Map(); // per place in the text: what the terms there add for the answer
  for (const term of answer.terms) {
    for (const [start, end] of term.spans) {
      const share = weightOf(term) / term.spans.length;
      for (let at = start; at < end; at += 1) cells.set(at, (cells.get(at) ?? 0) + share / (end - start));
    }
  }
  const worth = parts(answer.terms).map((part) => {
    let sum = 0;
    for (const [start, end] of part.spans) for (let at = start; at < end; at += 1) sum += cells.get(at) ?? 0;
    return { part, sum };
  });
  return worth.filter(({ sum }) => sum > 0).sort((a, b) => b.sum - a.sum).slice(0, MOST_WORDS).map(({ part }) => part);
}

/** The text without the places of some parts. */
export function without(text, removed) {
  const spans = removed.flatMap((part) => part.spans).sort((a, b) => a[0] - b[0]);
  let at = 0;
  let kept = "";
  for (const [start, end] of spans) {
    if (start > at) kept += text.slice(at, start);
    at = Math.max(at, end);
  }
  return kept + text.slice(at);
}

/** The fewest parts whose removal gives another answer, that answer, and its probability; null if none was found. */
export async function flip(answer, predict) {
  const rivals = answer.classes.map((_, at) => at).filter((at) => at !== answer.place);
  rivals.sort((a, b) => answer.probabilities[b] - answer.probabilities[a]);
  const tries = rivals.slice(0, MOST_RIVALS).flatMap((rival) => {
    const removed = order(answer, rival);
    return removed.map((_, at) => removed.slice(0, at + 1));
  });
  tries.sort((a, b) => a.length - b.length);
  tries.splice(Math.floor(MOST_CHARACTERS / answer.text.length)); // of a very long text only few can be asked about
  if (!tries.length) return null;
  const found = await predict(tries.map((removed) => without(answer.text, removed)));
  const at = found.findIndex(({ label }) => label !== null && label !== answer.label);
  return at < 0 ? null : { removed: tries[at], ...found[at] };
}
