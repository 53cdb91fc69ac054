// A text goes in; the places of its URLs, email addresses, mentions and hashtags come out.
//
// They are found by their signs (://, www., @, #). Looking back from a sign is bounded, so that the time is linear for any
// text (crates/likely-core/src/analyze/tokens/entities.rs).

import {
  APOSTROPHE, JOINER, MARK, SINGLE, WORD, classAt, isDigit, isLetter, isPlain, startBefore, widthAt,
} from "./characters.js";

const LONGEST_NAME = 64;
const LONGEST_SCHEME = 16;
const LONGEST_DOMAIN = 255;
const WEB_SIGNS = ["www.", "WWW.", "Www."];

/** The entities of a text in order; they do not overlap. Each has a start, an end and a kind. */
export function entitiesOf(text) {
  const found = [];
  const webs = new Webs(text);
  const from = () => (found.length ? found[found.length - 1].end : 0);
  for (const { index: at } of text.matchAll(/[@#:]/g)) {
    if (at < from()) continue;
    webs.addBefore(at, from(), found);
    if (at < from()) continue;
    const entity = entityAround(text, at, from());
    if (entity) found.push(entity);
  }
  webs.addBefore(text.length, from(), found);
  return found;
}

function entityAround(text, at, from) {
  if (text[at] === ":") return urlAround(text, at, from);
  if (text[at] === "#") return hashtagAt(text, at);
  return emailAround(text, at, from) ?? mentionAt(text, at);
}

/** The places of `www.` in a text. Each is found once, when it is needed. */
class Webs {
  constructor(text) {
    this.text = text;
    this.next = WEB_SIGNS.map((sign) => this.find(sign, 0));
  }

  find(sign, from) {
    const at = this.text.indexOf(sign, from);
    return at < 0 ? this.text.length : at;
  }

  nextFrom(from) {
    this.next = this.next.map((next, sign) => (next < from ? this.find(WEB_SIGNS[sign], from) : next));
    return Math.min(...this.next);
  }

  addBefore(until, from, found) {
    for (let start = this.nextFrom(from); start < until; start = this.nextFrom(from)) {
      from = start + 4;
      if (isFreeBefore(this.text, start) && isWordAt(this.text, from)) {
        from = endOfUrl(this.text, start);
        found.push({ start, end: from, kind: "url" });
      }
    }
  }
}

function isWordAt(text, at) {
  const kind = classAt(text, at);
  return kind === WORD || kind === SINGLE;
}

/** Whether what begins at a place does not continue a word. */
function isFreeBefore(text, at) {
  if (at === 0) return true;
  const code = text.charCodeAt(at - 1);
  if (code < 0x80) return !(isPlain(code) || "_'@#&".includes(text[at - 1]));
  return ![WORD, MARK, APOSTROPHE, JOINER].includes(classAt(text, startBefore(text, at)));
}

/** `scheme://` and what follows; `at` is the colon. */
function urlAround(text, at, from) {
  if (!text.startsWith("://", at)) return null;
  const least = Math.max(at - LONGEST_SCHEME, from);
  let start = at;
  while (start > least && isPlain(text.charCodeAt(start - 1))) start -= 1;
  const named = start < at && isLetter(text.charCodeAt(start)) && isFreeBefore(text, start);
  if (!named || !isWordAt(text, at + 3)) return null;
  return { start, end: endOfUrl(text, at + 3), kind: "url" };
}

/** A URL extends to white space, or to quotes and brackets that no URL has; punctuation at its end is not in it. */
function endOfUrl(text, start) {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 0x80) {
      if (code <= 32 || code === 0x7f || "<>\"'`{}|\\^".includes(text[end])) break;
      end += 1;
    } else {
      if (![WORD, MARK, SINGLE].includes(classAt(text, end))) break;
      end += widthAt(text, end);
    }
  }
  return withoutPunctuation(text, start, end);
}

function withoutPunctuation(text, start, end) {
  // A closing bracket belongs to the URL only if it was opened in it (as in the addresses of Wikipedia).
  let unopened = 0;
  let opened = 0;
  for (let at = start; at < end; at += 1) {
    if (text[at] === ")") unopened += 1;
    else if (text[at] === "(") opened += 1;
  }
  unopened = Math.max(0, unopened - opened);
  while (end > start) {
    const last = text[end - 1];
    if (last === ")") {
      if (unopened === 0) break;
      unopened -= 1;
    } else if (!".,;:!?][(*_~-".includes(last)) {
      break;
    }
    end -= 1;
  }
  return end;
}

/** `name@domain.top`; `at` is the sign. */
function emailAround(text, at, from) {
  const least = Math.max(at - LONGEST_NAME, from);
  let start = at;
  while (start > least && (isPlain(text.charCodeAt(start - 1)) || "._%+-".includes(text[start - 1]))) start -= 1;
  while (start < at && !isPlain(text.charCodeAt(start))) start += 1;
  if (start >= at || !(isPlain(text.charCodeAt(at - 1)) || text[at - 1] === "_")) return null;
  if (!isFreeBefore(text, start)) return null;
  const end = endOfDomain(text, at + 1);
  return end ? { start, end, kind: "email" } : null;
}

/** Two or more labels of letters, digits and hyphens with dots between them, the last of letters only; 0 if there are none. */
function endOfDomain(text, start) {
  const most = Math.min(text.length, start + LONGEST_DOMAIN);
  let end = 0;
  for (let at = start; ; at += 1) {
    const first = at;
    let letters = true;
    for (; at < most && (isPlain(text.charCodeAt(at)) || text[at] === "-"); at += 1) {
      letters &&= isLetter(text.charCodeAt(at));
    }
    if (at === first || text[first] === "-") return end;
    if (first > start && at - first >= 2 && letters && !isWordAt(text, at)) end = at;
    if (text[at] !== ".") return end;
  }
}

function endOfName(text, at) {
  while (text[at] === "_" || [WORD, MARK, SINGLE].includes(classAt(text, at))) at += widthAt(text, at);
  return at;
}

/** Whether a name begins here. A mark does not begin one, because a keycap emoji begins with a # too. */
function beginsName(text, at) {
  return isWordAt(text, at) || text[at] === "_";
}

function someUnit(text, start, end, isIt) {
  for (let at = start; at < end; at += 1) if (isIt(text.charCodeAt(at))) return true;
  return false;
}

const UNDERSCORE = 95;

/** `@name`; `at` is the sign. */
function mentionAt(text, at) {
  const end = endOfName(text, at + 1);
  const named = someUnit(text, at + 1, end, (code) => code !== UNDERSCORE) && beginsName(text, at + 1);
  return named && isFreeBefore(text, at) ? { start: at, end, kind: "mention" } : null;
}

/** `#name`, unless the name is a number; `at` is the #. */
function hashtagAt(text, at) {
  const end = endOfName(text, at + 1);
  const named = someUnit(text, at + 1, end, (code) => code !== UNDERSCORE && !isDigit(code)) && beginsName(text, at + 1);
  return named && isFreeBefore(text, at) ? { start: at, end, kind: "hashtag" } : null;
}
