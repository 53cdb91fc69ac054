// What the server can be asked, one function per question.

import { newKey, request, wellFormed } from "./requests.js";

/** At most this many texts and characters are sent in one request. */
const BATCH = 250;
const CHARACTERS = 1_000_000;

export const model = () => request("GET", "/model");

/** @type {(words?: number, signal?: AbortSignal) => Promise<import("./state.js").Class[]>} */
export const classes = async (words = 0, signal) => (await request("GET", `/classes?words=${words}`, undefined, signal)).classes;

export const term = (word, signal) => request("GET", `/terms/${encodeURIComponent(wellFormed(word))}`, undefined, signal);

/** @type {(limit: number, before: number | null, signal: AbortSignal) => Promise<object[]>} */
export async function history(limit, before, signal) {
  return (await request("GET", `/history?limit=${limit}${before === null ? "" : `&before=${before}`}`, undefined, signal)).entries;
}

/** At most this many classes and terms are shown. */
const EXPLAINED = { classes: 10, terms: 5000 };

export const explain = (text, signal) => request("POST", "/explain", { text: wellFormed(text), ...EXPLAINED }, signal);

/**
 * The predictions of texts, in their order; long lists are sent in parts. They are trials, so that drift does not count them.
 *
 * @param {string[]} texts
 * @param {number} top
 * @param {AbortSignal} [signal]
 */
export async function predict(texts, top = 2, signal) {
  const found = [];
  let part = [];
  let length = 0;
  const send = async () => {
    if (part.length) found.push(...(await request("POST", "/predict", { texts: part, top, counts: false }, signal)).predictions);
    part = [];
    length = 0;
  };
  for (const text of texts) {
    if (part.length >= BATCH || (part.length && length + text.length > CHARACTERS)) await send();
    part.push(wellFormed(text));
    length += text.length;
  }
  await send();
  return found;
}

/** @type {Map<unknown, Map<unknown, string>>} The keys of what was asked for and not answered: asked again, it is done once. */
const unanswered = new Map();

/** Asks for something about a thing with one key until that is answered; other questions about the thing are then over. */
async function once(path, thing, asked, body) {
  const keys = unanswered.get(thing) ?? new Map();
  unanswered.set(thing, keys);
  if (!keys.has(asked)) keys.set(asked, newKey());
  const { outcomes } = await request("POST", path, { ...body, key: keys.get(asked) });
  unanswered.delete(thing);
  return outcomes[0];
}

/** Teaches a text and its label; the answer is durable. */
export const learn = (text, label, source = "page") => once("/learn", text, label, { text: wellFormed(text), label, source });

export const undo = (seq) => once("/undo", seq, "undo", { seq });

/** Texts of the list that the server was started with, from a place on. */
export const pool = (start, limit = 1000) => request("GET", `/pool?start=${start}&limit=${limit}`);

/** How the texts of today compare with those of training. */
export const drift = (signal) => request("GET", "/drift", undefined, signal);
