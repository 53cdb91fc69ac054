// The stemmer of the model's language. A model that does not reduce words to their stems has none; in the others' pages and
// modules, this file is Snowball's.

/** @type {(new () => { stemWord(word: string): string }) | null} */
export const Snowball = null;
