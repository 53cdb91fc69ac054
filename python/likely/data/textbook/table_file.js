// A CSV file goes in; its texts and their classes come out.

import { understood } from "./csv.js";

const LABELS = ["label", "class", "category", "sentiment", "topic", "tag", "target", "y"];

/** The texts and labels of a CSV file: the column of texts, and the column of labels by its name or its few values. */
export function labelled(name, text) {
  const { rows, hasHeader, column } = understood(name, text);
  const head = hasHeader ? rows[0].map((cell) => cell.trim().toLowerCase()) : [];
  const body = (hasHeader ? rows.slice(1) : rows).filter((cells) => cells.length > 1);
  const width = body.reduce((most, cells) => Math.max(most, cells.length), 0);
  const others = Array.from({ length: width }, (_, at) => at).filter((at) => at !== column);
  const distinct = (at) => new Set(body.map((cells) => cells[at])).size;
  const label = others.find((at) => LABELS.includes(head[at])) ?? others.sort((a, b) => distinct(a) - distinct(b))[0];
  return label === undefined ? [] : body.map((cells) => ({ text: cells[column] ?? "", label: (cells[label] ?? "").trim() }));
}
