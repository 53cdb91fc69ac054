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

export const explain = (text, signal) => request("POST", "/explain", { text: wellFormed(text) }, signal);

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

/** Teaches a text and its label; the answer is durable. A key makes it safe to send it again. */
export async function learn(text, label, source = "page") {
  const corrections = [{ text: wellFormed(text), label, source, key: newKey() }];
  return (await request("POST", "/learn", { corrections })).outcomes[0];
}

export async function undo(seq) {
  return (await request("POST", "/undo", { seq, key: newKey() })).outcomes[0];
}

/** Texts of the list that the server was started with, from a place on. */
export const pool = (start, limit = 1000) => request("GET", `/pool?start=${start}&limit=${limit}`);

/** How the texts of today compare with those of training. */
export const drift = (signal) => request("GET", "/drift", undefined, signal);
