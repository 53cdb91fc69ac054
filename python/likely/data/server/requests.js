// Requests to the server. The token is kept for the tab (sessionStorage), is sent in a header and is never part of an address.

import { byId } from "./dom.js";

const KEPT = "likely-token";

/** What the server refused, in its own words (RFC 9457). */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `The server answered with status ${status}.`);
    this.status = status;
    this.id = problem.request_id ?? problem.instance ?? null;
  }
}

/** A text that JSON can carry: half of a surrogate pair becomes the replacement character, so that lengths stay as they are. */
export function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

/** A key by which the server knows a request that is sent again. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Signals for requests of which only the latest counts: each one aborts the one before it. */
export class Latest {
  running = new AbortController();

  next() {
    this.running.abort();
    this.running = new AbortController();
    return this.running.signal;
  }
}

/** @type {Promise<boolean> | null} */
let asking = null;

/** Asks for a token once, however many requests wait for it; false if the reader does not want to give one. */
function askForToken(why) {
  asking ??= new Promise((done) => {
    const dialog = byId("ask", HTMLDialogElement);
    const [form, field] = [byId("ask-form", HTMLFormElement), byId("token", HTMLInputElement)];
    byId("ask-why").textContent = why;
    field.value = "";
    const finish = (given) => {
      asking = null;
      form.onsubmit = dialog.onclose = null;
      dialog.close();
      done(given);
    };
    form.onsubmit = (event) => {
      event.preventDefault();
      sessionStorage.setItem(KEPT, field.value.trim());
      finish(true);
    };
    byId("ask-cancel").onclick = () => finish(false);
    dialog.onclose = () => finish(false);
    dialog.showModal();
  });
  return asking;
}

/** A header carries bytes, so that a token with other characters can only be wrong. */
const isSendable = (token) => /^[\x21-\x7e]+$/u.test(token);

function whyToken(status, refused, used) {
  if (status === 403) return `${refused.message[0].toUpperCase()}${refused.message.slice(1)}.`;
  return used ? "That token was not accepted." : "This server answers only requests with a token.";
}

async function send(method, path, body, signal) {
  const headers = { accept: "application/json, text/plain;q=0.5" };
  const token = sessionStorage.getItem(KEPT);
  if (token && isSendable(token)) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  return fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin", cache: "no-store" });
}

/**
 * The answer to a request, as data. A 401 or 403 asks for a token and tries again.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 */
export async function request(method, path, body, signal) {
  for (;;) {
    let response;
    try {
      response = await send(method, path, body, signal);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refused(0, { detail: "The server does not answer. Is it still running?" });
    }
    const isText = response.headers.get("content-type")?.startsWith("text/plain");
    const data = isText ? await response.text() : await response.json().catch(() => ({}));
    signal?.throwIfAborted();
    if (response.ok) return data;
    const refused = new Refused(response.status, data ?? {});
    if (response.status !== 401 && !(response.status === 403 && /token/iu.test(refused.message))) throw refused;
    const used = sessionStorage.getItem(KEPT);
    if (!(await askForToken(whyToken(response.status, refused, used)))) throw refused;
  }
}
