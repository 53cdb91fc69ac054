// A text goes in; the text in a normal form of Unicode comes out, with or without accents, and the places of its parts.
//
// The text is cut where nothing combines across the cut, and each segment is normalized alone, so that every place in the
// result is known in the original text (crates/likely-core/src/analyze/normalize.rs).

import { combines, compatibleForm, isAccent, isLone, widthAt } from "./characters.js";

/** A text in a normal form: composed, or taken apart. */
function inForm(text, form, isApart) {
  if (form === "nfkc") return Array.from(text, compatibleForm).join("").normalize(isApart ? "NFKD" : "NFKC");
  return text.normalize(isApart ? "NFD" : "NFC");
}

/** A text as it is: every place is itself. */
function unchanged(text) {
  return { text, place: (start, end) => [start, end] };
}

/**
 * The normalized text, and a function from places in it to places in the original text.
 *
 * @param {string} text
 * @param {"none" | "nfc" | "nfkc"} form
 * @param {boolean} strip whether accents are removed
 */
export function normalized(text, form, strip) {
  if ((form === "none" && !strip) || isAscii(text)) return unchanged(text);
  const write = strip ? (segment) => withoutAccents(segment, form) : (segment) => inForm(segment, form, false);
  const pieces = [];
  const starts = [];
  const ends = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfSegment(text, at);
    const segment = text.slice(at, end);
    const written = end === at + 1 && segment < "\x80" ? segment : write(segment);
    for (let unit = 0; unit < written.length; unit += 1) {
      const same = written === segment && end - at === widthAt(text, at);
      starts.push(same ? at + unit : at);
      ends.push(same ? at + unit + 1 : end);
    }
    pieces.push(written);
    at = end;
  }
  const place = (start, end) => {
    // An empty part ends with what precedes it: what follows it may begin behind something that was removed.
    const last = end > 0 ? ends[end - 1] : 0;
    return [Math.min(starts[start] ?? last, last), last];
  };
  return { text: pieces.join(""), place };
}

/** A segment without its accents. A single character that has none, and is in the normal form, stays as it is. */
function withoutAccents(segment, form) {
  const hasAccent = (text) => Array.from(text).some((each) => isAccent(each.codePointAt(0)));
  const isSingle = segment.length === widthAt(segment, 0);
  const isNormal = form === "none" || inForm(segment, form, false) === segment;
  if (isSingle && isNormal && !hasAccent(segment.normalize("NFD"))) return segment;
  const parts = Array.from(inForm(segment, form, true));
  return parts.filter((each) => !hasAccent(each)).join("").normalize("NFC");
}

function isAscii(text) {
  return !/[^\x00-\x7f]/.test(text);
}

/** Where a character and everything that combines with it end. */
function endOfSegment(text, start) {
  let end = start + widthAt(text, start);
  if (isLone(text.codePointAt(start))) return end;
  while (end < text.length && combines(text.codePointAt(end))) end += widthAt(text, end);
  return end;
}
