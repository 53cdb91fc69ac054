// What was predicted and what was right goes in; an estimate of the accuracy with its interval comes out.

const Z = 1.959963984540054; // the 97.5% quantile of the normal distribution

/** Wilson's 95% interval of a share (Wilson 1927): [low, high]. */
export function wilson(right, all) {
  if (all === 0) return [0, 1];
  const share = right / all;
  const middle = (share + (Z * Z) / (2 * all)) / (1 + (Z * Z) / all);
  const half = (Z / (1 + (Z * Z) / all)) * Math.sqrt((share * (1 - share)) / all + (Z * Z) / (4 * all * all));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Cohen's kappa of two lists of answers: how far they agree beyond chance; 1 if both give one and the same answer. */
export function kappa(before, after) {
  const counts = new Map();
  let agreed = 0;
  before.forEach((label, at) => {
    const pair = counts.get(label) ?? [0, 0];
    pair[0] += 1;
    counts.set(label, pair);
    const other = counts.get(after[at]) ?? [0, 0];
    other[1] += 1;
    counts.set(after[at], other);
    if (label === after[at]) agreed += 1;
  });
  const all = before.length;
  if (!all) return null;
  let chance = 0;
  for (const [a, b] of counts.values()) chance += (a / all) * (b / all);
  return chance === 1 ? 1 : (agreed / all - chance) / (1 - chance);
}

/** From this mean agreement of the last rounds on, more labels change hardly any answer (Bloodgood and Vijay-Shanker 2009). */
export const STABLE = 0.99;
export const ROUNDS = 3;

/** Whether to go on labelling: a sentence, and whether it says stop. */
export function advice({ classes, smallest, kappas, checks, left }) {
  if (left === 0) return { stop: true, says: "All texts of the list are done." };
  if (classes < 2) return { stop: false, says: "Label texts of at least two classes first: the model then begins to tell them apart." };
  if (smallest < 5) return { stop: false, says: "Keep going: a class has fewer than 5 documents." };
  const last = kappas.slice(-ROUNDS);
  const mean = last.reduce((sum, each) => sum + each, 0) / (last.length || 1);
  if (last.length < ROUNDS) return { stop: false, says: "Keep going: the model is still changing with each round of labels." };
  if (mean < STABLE) return { stop: false, says: "Keep going: the last labels still changed answers of the model." };
  if (checks < 30) return { stop: false, says: "The answers hardly change any more. A few more labels make the accuracy estimate useful." };
  return { stop: true, says: "You can stop: the last three rounds of labels changed hardly any answer. More labels of this kind will help little." };
}
