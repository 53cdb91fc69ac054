// The part of a page that classifies what its reader types. The model lies in the page, compressed; nothing is loaded.

import { Classifier } from "./classifier.js";
import { byId, element, find, named } from "./dom.js";
import { times } from "./numbers.js";
import { knownShare, legend, nameOf, showBars, showMarked, verdict } from "./view.js";

const SHOWN_WORDS = 8;
const WARMING = 20;
const RAW_MAIL =
  "This looks like a raw message. The model has learned decoded ones, and this page cannot decode: " +
  "paste the subject and the text of the message.";
const IMPOSSIBLE =
  "Every class is impossible for this text (alpha = 0): 0/0 is not defined, and the probabilities say nothing.";
const HINT = "Point at a marked word, or move to it with the Tab and arrow keys, to see its weight.";

async function readModel() {
  const packed = atob((byId("live-model").textContent ?? "").trim());
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

class LivePart {
  constructor(file) {
    this.names = file.names;
    this.classifier = new Classifier(file);
    this.input = byId("live-text", HTMLTextAreaElement);
    this.isWaiting = false;
    this.input.addEventListener("input", () => this.showSoon());
    this.input.disabled = false;
    this.show();
    this.warmUp(`${find(document, ".live").textContent} `);
  }

  /** Classifies growing texts while the page has nothing else to do, so that the browser compiles the code before it is used. */
  warmUp(text, many = 1) {
    const soon = window.requestIdleCallback ?? setTimeout;
    soon(() => {
      this.classifier.classify(text.repeat(many));
      if (many < WARMING) this.warmUp(text, many + 1);
    });
  }

  /** Shows the answer once per frame, however fast the reader types. */
  showSoon() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.show();
    });
  }

  show() {
    const text = this.input.value;
    const isEmpty = text.trim() === "";
    byId("live-answer").hidden = isEmpty;
    if (isEmpty) {
      byId("live-verdict").textContent = "Type or paste a text to see its class.";
      return;
    }
    const { isUnsure: abstains, evidence, known, terms, ...found } = this.classifier.classify(text);
    const answer = { ...found, text, abstains, names: this.names, terms: evidence };
    const doubts = [...(found.isRawMail ? [RAW_MAIL] : []), ...(found.isImpossible ? [IMPOSSIBLE] : [])];
    byId("live-doubt").hidden = !doubts.length;
    byId("live-doubt").textContent = doubts.join(" ");
    byId("live-verdict").replaceChildren(...verdict(answer));
    showBars(byId("live-classes"), answer);
    byId("live-legend").replaceChildren(...legend(answer));
    showMarked(byId("live-marked"), answer, (behind) => byId("live-word").replaceChildren(...this.behind(answer, behind)));
    byId("live-word").textContent = answer.rival === null ? "" : HINT;
    byId("live-words").replaceChildren(...this.words(answer));
    byId("live-known").textContent = knownShare(known, terms);
  }

  /** What the terms behind a marked word weigh. */
  behind(answer, terms) {
    return terms.flatMap(({ word, weight }, at) => {
      const side = nameOf(answer, weight < 0 ? answer.rival : answer.place);
      return [at ? "; " : "", element("strong", "", named(word)), ` ${this.strength(weight)} for `, side];
    });
  }

  /** The words that count most for the predicted class, and for its rival. */
  words(answer) {
    if (answer.rival === null) return [];
    const side = (to, sign) => {
      const found = answer.terms.filter(({ weight }) => sign * weight > 1e-9);
      found.sort((a, b) => sign * (b.weight - a.weight));
      const items = found.slice(0, SHOWN_WORDS).map(({ word, weight }) => {
        return element("li", "", named(word), element("span", "figure", this.strength(weight)));
      });
      const list = items.length ? element("ol", "", ...items) : element("p", "", "none");
      return element("div", "", element("h3", "", "For ", nameOf(answer, to)), list);
    };
    return [side(answer.place, 1), side(answer.rival, -1)];
  }

  /** How strong evidence is: by how much it multiplies the odds. */
  strength(weight) {
    return times(weight) || "decides alone";
  }
}

try {
  new LivePart(await readModel());
} catch (error) {
  byId("live-verdict").textContent = `The model cannot be used in this browser: ${error.message}`;
}
