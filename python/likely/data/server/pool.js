// A file is dropped or chosen; the reader says which column has the texts; a list of texts comes out.

import { decoded, understood } from "./csv.js";
import { byId, element, printable } from "./dom.js";
import { counted } from "./numbers.js";
import { shortened } from "./parts.js";
import { attempt } from "./state.js";

const MOST_BYTES = 50_000_000;
const MOST_TEXTS = 20_000;
const MOST_CHARACTERS = 100_000;

export class Pool {
  constructor(starts) {
    this.name = "";
    this.found = understood("", "");
    this.column = byId("column", HTMLSelectElement);
    this.hasHeader = byId("has-header", HTMLInputElement);
    const file = byId("file", HTMLInputElement);
    file.addEventListener("change", () => this.take(file.files?.[0]));
    const drop = byId("drop");
    for (const kind of ["dragover", "dragenter"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
    for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => { event.preventDefault(); this.take(event.dataTransfer?.files[0]); });
    // A file that misses the field must not replace the page.
    for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());
    this.hasHeader.addEventListener("change", () => this.showColumns());
    this.column.addEventListener("change", () => this.showPreview());
    byId("columns").addEventListener("submit", (event) => {
      event.preventDefault();
      const texts = this.texts();
      if (texts.length) starts(texts, this.name);
    });
  }

  take(file) {
    if (!file) return;
    attempt(async () => {
      if (file.size > MOST_BYTES) throw Object.assign(new Error(`The file has more than ${MOST_BYTES / 1e6} MB. Cut it, or use \`likely predict\` on it.`), { status: 413 });
      const text = decoded(await file.arrayBuffer());
      this.name = file.name;
      this.found = understood(file.name, text);
      byId("columns").hidden = false;
      this.hasHeader.checked = this.found.hasHeader;
      this.showColumns();
      byId("start").focus();
    });
  }

  showColumns() {
    const [first = []] = this.found.rows;
    const width = Math.max(0, ...this.found.rows.slice(0, 200).map((row) => row.length));
    const options = Array.from({ length: width }, (_, at) => {
      const name = this.hasHeader.checked && first[at] ? shortened(printable(first[at]), 40) : `Column ${at + 1}`;
      const option = element("option", "", name);
      option.value = String(at);
      return option;
    });
    this.column.replaceChildren(...options);
    this.column.value = String(this.found.column);
    byId("column-row").hidden = width < 2;
    byId("header-row").hidden = width < 2 && !this.found.hasHeader;
    this.showPreview();
  }

  texts() {
    const place = Number(this.column.value);
    const rows = this.hasHeader.checked ? this.found.rows.slice(1) : this.found.rows;
    const texts = rows.map((row) => row[place] ?? "").filter((text) => text.trim() !== "");
    return [...new Set(texts.map((text) => text.slice(0, MOST_CHARACTERS)))].slice(0, MOST_TEXTS);
  }

  showPreview() {
    const texts = this.texts();
    byId("file-says").textContent = `${printable(this.name)}: ${counted(texts.length, "distinct text")}${texts.length === MOST_TEXTS ? ", the first in the file" : ""}.`;
    byId("preview").replaceChildren(...texts.slice(0, 3).map((text) => element("p", "", element("bdi", "", shortened(text, 120)))));
    byId("start", HTMLButtonElement).disabled = texts.length === 0;
  }
}
