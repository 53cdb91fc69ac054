// A text goes in; whether it looks like a raw message comes out: with header fields before the first empty line
// (python/likely/reading/mail.py). A page cannot decode messages, so it names them.

const FIELDS = "date delivered-to from message-id mime-version received reply-to return-path sender subject to";
const SIGNS = new Set(FIELDS.split(" "));
const HEAD = 8192;

/** Whether a text looks like a raw message. */
export function looksLikeMail(text) {
  const [head] = text.slice(0, HEAD).replace(/^\ufeff/u, "").replaceAll("\r\n", "\n").split("\n\n", 1);
  const names = Array.from(head.matchAll(/^([!-9;-~]+)[ \t]*:/gmu), ([, name]) => name.toLowerCase());
  const found = new Set(names.filter((name) => SIGNS.has(name)));
  return found.size >= (head.startsWith("From ") ? 1 : 2);
}
