/** A class: what the model predicts for texts. */
export type Label = {{ label }};

/** A known term of a text. */
export interface Evidence {
  /** The term as it is counted. */
  term: string;
  /** The same as the text has it: a stem is the word that it was made of. */
  word: string;
  /** By how much it speaks for the predicted class against its best rival, calibrated if the model is; below 0, for the rival. */
  weight: number;
  /** Where it occurs: start and end in UTF-16 code units, as for `String.prototype.slice`. */
  spans: [number, number][];
}

export interface Answer {
  /** The predicted class; the reject label of the model, or null, if the model abstains. */
  label: Label | null;
  /** Whether the model abstains. */
  isUnsure: boolean;
  /** Whether every class is impossible (alpha = 0): 0/0 is not defined, and the probabilities say nothing. */
  isImpossible: boolean;
  /** Whether the text looks like a raw message, and the model has learned decoded ones: decode it first. */
  isRawMail: boolean;
  /** The place of the predicted class among the labels, also if the model abstains. */
  place: number;
  /** The place of the best other class; null if there is only one class. */
  rival: number | null;
  /** The probability of each class, in the order of the labels. */
  probabilities: number[];
  /** How many terms of the text the model knows, and how many there are. */
  known: number;
  terms: number;
  evidence: Evidence[];
}

export class Classifier {
  /** @param file the content of model.json */
  constructor(file: object);
  readonly labels: Label[];
  classify(text: string): Answer;
}

/** The text in stretches of equal strength, from -1 (against the predicted class) to 1 (for it). */
export function stretches(text: string, evidence: Evidence[]): { text: string; strength: number }[];
