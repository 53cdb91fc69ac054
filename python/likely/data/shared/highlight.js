// The evidence of a text goes in; the text in stretches of equal strength comes out.

/** By how much the terms at each place favour the predicted class over its rival: one number per code unit. */
export function strengths(text, evidence) {
  // Only the differences at the bounds are noted, so that the time does not depend on how long the terms are.
  const steps = new Float64Array(text.length + 1);
  for (const { weight, spans } of evidence) {
    if (!Number.isFinite(weight)) continue;
    for (const [start, end] of spans) {
      steps[start] += weight / spans.length;
      steps[end] -= weight / spans.length;
    }
  }
  let sum = 0;
  return steps.map((step) => {
    sum += step;
    return Math.abs(sum) < 1e-9 ? 0 : sum;
  });
}

/** The stretches of a text: their texts and their strengths, from -1 (against the predicted class) to 1 (for it). */
export function stretches(text, evidence) {
  const heights = strengths(text, evidence);
  let most = 0;
  for (const height of heights) most = Math.max(most, Math.abs(height));
  const found = [];
  for (let at = 0; at < text.length; ) {
    let end = at + 1;
    while (end < text.length && Math.abs(heights[end] - heights[at]) < 1e-9) end += 1;
    found.push({ text: text.slice(at, end), strength: most ? heights[at] / most : 0 });
    at = end;
  }
  return found;
}
