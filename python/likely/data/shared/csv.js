// A file of texts goes in, rows come out (RFC 4180, with the delimiters of spreadsheets); labelled texts go in, a CSV comes out.

const NAMES = [
  "text", "content", "message", "body", "comment", "review", "description", "subject", "title", "document", "sentence",
];
const NAME = /^[\p{L}_][\p{L}\p{N}_ -]{0,30}$/u;

/**
 * The text of a file, as the command line reads it: in UTF-8 or UTF-16, by its mark or its zeros, or else in Windows-1252.
 *
 * @param {ArrayBuffer} data
 */
export function decoded(data) {
  const bytes = new Uint8Array(data);
  const some = bytes.subarray(0, 1000);
  const zeros = [0, 1].map((odd) => some.filter((byte, at) => byte === 0 && at % 2 === odd).length);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe || zeros[1] > some.length / 4) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff || zeros[0] > some.length / 4) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The delimiter of a file: the one that its first row has most often outside of quotes; none if it has one column. */
export function delimiterOf(text) {
  const found = { "": 0, ",": 0, ";": 0, "\t": 0 };
  let quoted = false;
  let before = ""; // a quote opens a cell only at its beginning
  for (const character of text.slice(0, 20000).replace(/^\ufeff/u, "")) {
    if (character === '"' && (quoted || before in found)) quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r")) break;
    else if (!quoted && character in found) found[character] += 1;
    before = character;
  }
  return Object.keys(found).reduce((best, each) => (found[each] > found[best] ? each : best));
}

/** The rows of a CSV file, each a list of cells. A quote that is not closed ends with the file. */
export function rowsOf(file, delimiter = delimiterOf(file)) {
  const text = file.startsWith("\ufeff") ? file.slice(1) : file;
  const rows = [];
  let row = [];
  let cell = "";
  let at = 0;
  const endRow = () => {
    row.push(cell);
    if (row.length > 1 || row[0].trim() !== "") rows.push(row);
    row = [];
    cell = "";
  };
  while (at < text.length) {
    const character = text[at];
    if (character === '"' && cell === "") {
      for (;;) {
        const end = text.indexOf('"', at + 1);
        cell += text.slice(at + 1, end < 0 ? text.length : end);
        at = end < 0 ? text.length : end + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
    } else if (character === delimiter) {
      row.push(cell);
      cell = "";
      at += 1;
    } else if (character === "\n" || character === "\r") {
      endRow();
      at += character === "\r" && text[at + 1] === "\n" ? 2 : 1;
    } else {
      let end = at + 1;
      while (end < text.length && !(text[end] === delimiter || text[end] === "\n" || text[end] === "\r")) end += 1;
      cell += text.slice(at, end);
      at = end;
    }
  }
  if (cell !== "" || row.length) endRow();
  return rows;
}

/** The lines of a file, each a row with one cell. */
export function linesOf(file) {
  return file.replace(/^\ufeff/u, "").split(/\r\n|\r|\n/u).filter((line) => line.trim() !== "").map((line) => [line]);
}

/** What a file seems to be: its rows, whether the first one has names, and the column with the texts. */
export function understood(name, file) {
  const isTable = /\.(csv|tsv)$/iu.test(name) || (!/\.txt$/iu.test(name) && /^[^\n]*[,;\t]/u.test(file));
  const rows = isTable ? rowsOf(file, /\.tsv$/iu.test(name) ? "\t" : undefined) : linesOf(file);
  const first = (rows[0] ?? []).map((cell) => cell.trim().toLowerCase());
  const areNames = rows.length > 1 && first.length > 1 && first.every((cell) => NAME.test(cell));
  const hasHeader = isTable && (areNames || first.some((cell) => NAMES.includes(cell)));
  return { rows, hasHeader, column: textColumn(rows, hasHeader ? first : []) };
}

/** The column that is named like one of texts, else the one with the longest cells. */
function textColumn(rows, names) {
  for (const name of NAMES) if (names.includes(name)) return names.indexOf(name);
  const lengths = [];
  for (const row of rows.slice(0, 200)) row.forEach((cell, at) => { lengths[at] = (lengths[at] ?? 0) + cell.length; });
  return Math.max(0, lengths.indexOf(Math.max(...lengths)));
}

/** A cell that no spreadsheet takes for a formula: what starts like one is preceded by an apostrophe (OWASP, CSV injection). */
export function cellOf(value) {
  const text = String(value);
  const safe = /^\s*[=+\-@\t\r|%\uff0b\uff0d\uff1d\uff20]/u.test(text) && !/^-?\d+(\.\d+)?$/u.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A CSV file of rows. */
export function csvOf(rows) {
  return rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}
