// Scores go in; probabilities and the predicted class come out: priors, calibration, thresholds and abstaining
// (python/likely/scoring/).

import { readNumbers } from "./weights.js";

const plus = (one, other) => one.map((number, at) => number + other[at]);

/** The place of the largest number; of equal ones the first. */
export function largest(numbers) {
  let best = 0;
  numbers.forEach((number, at) => {
    if (number > numbers[best]) best = at;
  });
  return best;
}

/** Scores; those of a text that is impossible in every class become `otherwise`. */
const possible = (scores, otherwise) => (scores.every((score) => score === -Infinity) ? otherwise : scores);

/** Log P(c|text) from log P(c, text). */
export function logPosterior(scores, otherwise) {
  const joint = possible(scores, otherwise);
  const most = Math.max(...joint);
  const beyond = joint.map((score) => score - most);
  const log = Math.log(beyond.reduce((sum, score) => sum + Math.exp(score), 0));
  return beyond.map((score) => score - log);
}

/** The factor of calibrated scores: tau / (length ** gamma * spread ** delta). */
function calibrationFactor({ tau, gamma, delta }, scores, length) {
  if (!(length > 0)) return 1;
  const finite = scores.filter(Number.isFinite);
  const number = Math.max(finite.length, 1);
  const mean = finite.reduce((sum, score) => sum + score, 0) / number;
  const spread = Math.sqrt(finite.reduce((sum, score) => sum + (score - mean) ** 2, 0) / number);
  return Math.exp(Math.log(tau) - gamma * Math.log(Math.max(length, 1)) - delta * Math.log(spread > 0 ? spread : 1));
}

export class Probabilities {
  constructor({ decision }) {
    this.excluded = readNumbers(decision.excluded);
    this.shift = decision.shift && readNumbers(decision.shift);
    this.prior = readNumbers(decision.log_prior);
    this.calibration = decision.calibration;
    this.thresholds = decision.thresholds;
    this.abstain = decision.abstain;
  }

  /** The logarithm of the probability of each class. */
  logs(scores, length) {
    const { calibration, shift } = this;
    const own = plus(scores, this.excluded);
    if (!calibration) return logPosterior(shift ? plus(scores, shift) : own, this.prior);
    const factor = this.factor(scores, length);
    if (!shift) return logPosterior(own.map((score) => score * factor), own.map(() => 0));
    return logPosterior(plus(scores.map((score) => score * factor), shift), this.prior);
  }

  /** By how much calibration multiplies the scores of a text, and the weights of its words; 1 without calibration. */
  factor(scores, length) {
    return this.calibration ? calibrationFactor(this.calibration, plus(scores, this.excluded), length) : 1;
  }

  /** The place of the predicted class. */
  decided(scores, logs) {
    if (this.thresholds) return this.byThresholds(logs);
    if (this.shift || this.abstain) return largest(logs);
    return largest(this.isImpossible(scores) ? logs : plus(scores, this.excluded));
  }

  /** Whether a text is impossible in every class (alpha = 0): 0/0 is not defined. */
  isImpossible(scores) {
    return plus(scores, this.shift ?? this.excluded).every((score) => score === -Infinity);
  }

  /** The class that exceeds its own threshold most; if none does, the most probable of the classes without one. */
  byThresholds(logs) {
    const above = logs.map((log, at) => (this.thresholds[at] === null ? -Infinity : log - Math.log(this.thresholds[at])));
    const best = largest(above);
    const others = logs.map((log, at) => (this.thresholds[at] === null ? log : null));
    if (above[best] >= 0 || others.every((log) => log === null)) return best;
    return largest(others.map((log) => log ?? -Infinity));
  }

  /** Whether the model abstains from the predicted class. */
  isUnsure(logs, length, best) {
    if (!this.abstain) return false;
    const top = Math.exp(logs[best]);
    const next = Math.exp(Math.max(...logs.filter((_, at) => at !== best)));
    const { probability, margin } = this.abstain;
    return length === 0 || top < probability || (margin > 0 && top - next < margin);
  }
}
