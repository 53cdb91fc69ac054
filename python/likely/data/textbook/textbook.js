// The textbook page: the reader edits a table of texts and what the model does with them, and every number follows.

import { sentence, tables, tokenLine } from "./blackboard.js";
import { CORPORA } from "./corpora.js";
import { Counted } from "./counted.js";
import { decoded } from "./csv.js";
import { byId, element, named } from "./dom.js";
import { randomOf } from "./exercises.js";
import { linkWords } from "./grid.js";
import { Question, questionsOf } from "./guesses.js";
import { counted } from "./numbers.js";
import { Confusion, Exercises, ruleOfBayes, showGiven } from "./sheet.js";
import { labelled } from "./table_file.js";

const SETTINGS = JSON.parse(byId("settings").textContent ?? "{}");
const EDITED_ROWS = 30;
const MOST_ROWS = 20000;

const input = (id) => byId(id, HTMLInputElement);
const select = (id) => byId(id, HTMLSelectElement);
const fill = (id, nodes) => byId(id).replaceChildren(...nodes);

class Textbook {
  constructor() {
    /** @type {import("./counted.js").Row[]} */
    this.rows = [];
    /** @type {*} */
    this.model = null;
    this.shares = new Map();
    this.questions = new Map();
    this.seed = 1;
    this.isWaiting = false;
    for (const { id, name } of CORPORA) select("corpus").append(new Option(name, id));
    select("corpus").addEventListener("change", () => this.open(select("corpus").value));
    byId("controls").addEventListener("input", (event) => this.controlled(event));
    input("text").addEventListener("input", () => this.showSoon());
    input("word").addEventListener("input", () => this.showSoon());
    byId("add-row").addEventListener("click", () => this.add());
    input("csv").addEventListener("change", () => this.read(input("csv").files?.[0]));
    byId("write").addEventListener("click", () => this.write());
    this.open(CORPORA[0].id);
    linkWords(document.body);
  }

  open(id) {
    const {
      rows,
      text,
      about,
      choices = {},
    } = /** @type {import("./corpora.js").Corpus} */ (CORPORA.find((each) => each.id === id));
    const chosen = { variant: "multinomial", alpha: 1, base: 0, terms: "1", ...choices };
    byId("about").textContent = about;
    input("text").value = text;
    select("variant").value = chosen.variant;
    select("terms").value = chosen.terms;
    select("base").value = String(chosen.base || "e");
    input("alpha").value = input("alpha-number").value = String(chosen.alpha);
    select("prior").value = "counted";
    this.rows = rows.map(([text, label]) => ({ text, label }));
    input("word").value = "";
    this.edit();
  }

  controlled({ target }) {
    if (target.id === "alpha") input("alpha-number").value = target.value;
    if (target.id === "alpha-number") input("alpha").value = target.value;
    this.showSoon();
  }

  /** Shows the rows that can be edited. */
  edit() {
    fill(
      "rows",
      this.rows.slice(0, EDITED_ROWS).map((each, at) => {
        const text = this.field(each.text, `Text ${at + 1}`, (value) => {
          each.text = value;
        });
        const label = this.field(each.label, `Class of text ${at + 1}`, (value) => {
          each.label = value;
        });
        const remove = element("button", "remove", "Remove");
        remove.type = "button";
        remove.ariaLabel = `Remove text ${at + 1}`;
        remove.addEventListener("click", () => {
          this.rows = this.rows.filter((other) => other !== each);
          this.edit();
          byId("add-row").focus();
        });
        return element(
          "tr",
          "",
          element("td", "", String(at + 1)),
          element("td", "", text, element("p", "tokens")),
          element("td", "", label),
          element("td", "", remove),
        );
      }),
    );
    const more = this.rows.length - EDITED_ROWS;
    byId("more-rows").textContent = more > 0 ? `${counted(more, "more text")} counted, but not shown.` : "";
    this.showSoon();
  }

  field(value, name, changes) {
    const field = element("input", "");
    field.value = value;
    field.ariaLabel = name;
    field.dir = "auto";
    field.spellcheck = false;
    field.addEventListener("input", () => {
      changes(field.value);
      this.showSoon();
    });
    return field;
  }

  add() {
    this.rows.push({ text: "", label: this.rows.at(-1)?.label ?? "" });
    this.edit();
    /** @type {HTMLInputElement | null} */ (byId("rows").lastElementChild?.querySelector("input") ?? null)?.focus();
  }

  async read(file) {
    if (!file) return;
    const rows = labelled(file.name, decoded(await file.arrayBuffer()));
    if (!rows.length) this.problem("This file has no table of texts and classes: give a CSV file with a column for each.");
    else {
      this.rows = rows.slice(0, MOST_ROWS);
      const cut = rows.length > MOST_ROWS ? `, of which the first ${MOST_ROWS} are used` : "";
      byId("about").textContent = `${file.name}: ${counted(rows.length, "row")}${cut}.`;
      this.edit();
    }
  }

  problem(sentence) {
    byId("problem").textContent = sentence;
    byId("numbers").hidden = sentence !== "";
    return sentence !== "";
  }

  choices(labels) {
    const terms = select("terms").value;
    input("stop").disabled = terms === "char";
    input("stem").disabled = terms === "char" || !SETTINGS.hasStems;
    const preparation = {
      ...SETTINGS.preparation,
      analyzer: terms === "char" ? "char" : "word",
      ngrams: terms === "char" ? [1, 1] : [1, Number(terms)],
      stop_words: input("stop").checked ? SETTINGS.stopWords : [],
      stem: input("stem").checked ? "english" : "none",
    };
    const { variant, prior } = { variant: select("variant").value, prior: select("prior").value };
    const given = labels.map((label) => this.shares.get(label) ?? 1);
    const sum = given.reduce((total, share) => total + share, 0);
    return /** @type {*} */ ({
      variant,
      alpha: Number(input("alpha-number").value),
      preparation,
      prior: prior === "given" ? given.map((share) => share / sum) : prior,
    });
  }

  /** The fields of a prior that the reader gives. */
  showShares(labels) {
    const isGiven = select("prior").value === "given";
    byId("shares").hidden = !isGiven;
    if (!isGiven || byId("shares").dataset.labels === labels.join("\n")) return;
    byId("shares").dataset.labels = labels.join("\n");
    fill(
      "shares",
      labels.slice(0, 12).map((label) => {
        const field = this.field(String(this.shares.get(label) ?? 1), `Share of ${label}`, (value) =>
          this.shares.set(label, Math.max(0, Number(value) || 0)),
        );
        field.inputMode = "decimal";
        return element("label", "", named(label), " ", field);
      }),
    );
  }

  /** Shows the numbers once per frame, however fast the reader types. */
  showSoon() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.show();
    });
  }

  show() {
    const rows = this.rows
      .filter(({ text, label }) => text.trim() !== "" && label.trim() !== "")
      .map(({ text, label }) => ({ text, label: label.trim() }));
    const labels = Array.from(new Set(rows.map(({ label }) => label))).sort();
    this.showShares(labels);
    const { alpha, prior, ...rest } = this.choices(labels);
    const found = rows.length ? new Counted(rows, { alpha, prior, ...rest }) : null;
    if (!found || !found.vocabulary.length)
      return this.problem("The table has no words: write a text and its class in at least two rows.");
    if (labels.length < 2) return this.problem(`All texts have the class ${labels[0]}: give at least one text another class.`);
    if (!(alpha >= 0 && Number.isFinite(alpha))) return this.problem("alpha must be a number from 0 on.");
    if (Array.isArray(prior) && !prior.every(Number.isFinite)) return this.problem("The prior needs at least one share above 0.");
    this.problem("");
    this.model = found;
    const text = input("text").value;
    const base = select("base").value === "e" ? Math.E : Number(select("base").value);
    const [first = found.vocabulary[0]] = found.read(text).known.keys();
    if (input("word").value === "") input("word").placeholder = first;
    const { decision, parts } = tables(found, { text, base, word: input("word").value.trim() || first });
    for (const [id, nodes] of Object.entries(parts)) fill(id, nodes);
    fill("verdict", sentence(found, decision));
    this.showTokens(rows);
    this.askAll(decision, text, first);
    return false;
  }

  /** The words of each row as the model reads them. */
  showTokens(rows) {
    const lines = Array.from(document.querySelectorAll("#rows .tokens"));
    this.rows.slice(0, EDITED_ROWS).forEach((each, at) => {
      const place = this.model.labels.indexOf(each.label.trim());
      const isRead = rows.some(({ text }) => text === each.text) && place >= 0;
      lines[at].replaceChildren(
        ...(isRead
          ? tokenLine(each.text, this.model.analyzer.terms(each.text), place)
          : ["not counted: it needs a text and a class"]),
      );
    });
    byId("text-tokens").replaceChildren(
      ...tokenLine(input("text").value, this.model.analyzer.terms(input("text").value), undefined),
    );
  }

  /** The questions before each table. */
  askAll(decision, text, term) {
    for (const [id, asked] of Object.entries(questionsOf(this.model, decision, text, term))) {
      if (!this.questions.has(id)) {
        const made = new Question();
        this.questions.set(id, made);
        byId(`guess-${id}`).append(made.form);
      }
      this.questions.get(id).ask(...asked);
    }
  }

  write() {
    const random = randomOf(this.seed);
    this.seed += 1;
    fill(
      "written",
      this.model.labels
        .slice(0, 8)
        .map((label, place) =>
          element("p", "", element("strong", "", named(label)), ": ", this.model.generated(place, 10, random).join(" ")),
        ),
    );
  }
}

byId("print").addEventListener("click", () => window.print());
ruleOfBayes();
showGiven();
new Textbook();
new Confusion();
new Exercises(SETTINGS.preparation);
