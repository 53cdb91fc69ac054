// A confusion matrix goes in (rows are gold labels, columns are predictions); precision, recall and F of classes come out.

const ratio = (part, whole) => (whole === 0 ? null : part / whole);
const sumUp = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** Precision, recall and F-beta of a 2x2 table; null is 0/0, undefined. */
export function measured({ tp, fp, fn, tn }, beta) {
  const square = beta ** 2;
  return {
    tp,
    fp,
    fn,
    tn,
    precision: ratio(tp, tp + fp),
    recall: ratio(tp, tp + fn),
    f: ratio((1 + square) * tp, square * (tp + fn) + tp + fp),
  };
}

/**
 * The measures of each class, their mean (macro), and those of the pooled table (micro).
 * @param {number[][]} matrix @param {number} beta
 */
export function judged(matrix, beta) {
  const all = sumUp(matrix.map(sumUp));
  const tables = matrix.map((row, place) => {
    const tp = row[place];
    const fn = sumUp(row) - tp;
    const fp = sumUp(matrix.map((each) => each[place])) - tp;
    return { tp, fp, fn, tn: all - tp - fp - fn };
  });
  const classes = tables.map((table) => measured(table, beta));
  const mean = (name) => {
    const values = classes.map((each) => each[name]).filter((value) => value !== null);
    return values.length ? sumUp(values) / values.length : null;
  };
  const pooled = {};
  for (const name of ["tp", "fp", "fn", "tn"]) pooled[name] = sumUp(tables.map((table) => table[name]));
  return {
    classes,
    macro: { precision: mean("precision"), recall: mean("recall"), f: mean("f") },
    micro: measured(/** @type {*} */ (pooled), beta),
    accuracy: ratio(sumUp(matrix.map((row, place) => row[place])), all),
    documents: all,
  };
}
