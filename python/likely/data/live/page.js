// The part of a page that classifies what its reader types. The model lies in the page, compressed; nothing is loaded.

import { Classifier } from "./classifier.js";
import { stretches } from "./highlight.js";

const SHOWN_CLASSES = 5;
const SHOWN_WORDS = 8;
/** Longer texts are classified as a whole, but only their beginning is shown with its words marked. */
const SHOWN_TEXT = 20000;
/** Weaker evidence is not marked. */
const FAINTEST = 0.05;

const byId = (id) => document.getElementById(id);

/** An element with a class, a text or children. Texts are never read as HTML. */
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** A probability in per cent; it is never rounded to certainty. */
function percent(share) {
  if (share > 0.9999) return "> 99.99 %";
  if (share < 0.0005) return "< 0.1 %";
  return `${(100 * share).toFixed(share > 0.999 ? 2 : 1)} %`;
}

async function readModel() {
  const packed = atob(byId("live-model").textContent.trim());
  const bytes = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at += 1) bytes[at] = packed.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

class LivePart {
  constructor(file) {
    this.names = file.names;
    this.isOdds = file.weights_are_log_odds;
    this.classifier = new Classifier(file);
    this.input = byId("live-text");
    this.isWaiting = false;
    this.input.addEventListener("input", () => this.showSoon());
    this.warmUp();
    this.input.disabled = false;
    this.show();
  }

  /** Classifies a few texts, so that the browser has compiled the code before the reader types the first word. */
  warmUp() {
    const text = `${byId("live-title").parentElement.textContent} `;
    for (let times = 1; times <= 20; times += 1) this.classifier.classify(text.repeat(times));
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
    const found = this.classifier.classify(text);
    byId("live-verdict").replaceChildren(...this.verdict(found));
    byId("live-classes").replaceChildren(...this.bars(found));
    byId("live-legend").replaceChildren(...this.legend(found));
    byId("live-marked").replaceChildren(...this.marked(text, found));
    byId("live-words").replaceChildren(...this.words(found));
    byId("live-known").textContent = this.knownShare(found);
  }

  name(place) {
    return element("bdi", "", this.names[place]);
  }

  verdict({ place, probabilities, isUnsure }) {
    const share = percent(probabilities[place]);
    if (isUnsure) return ["No answer: the model is not sure enough of ", element("strong", "", this.name(place)), `, ${share}.`];
    return [element("strong", "", this.name(place)), `, ${share}`];
  }

  /** A row per class, the most probable first; most of many classes are folded. */
  bars({ probabilities, place }) {
    const order = probabilities.map((_, at) => at).sort((a, b) => probabilities[b] - probabilities[a] || a - b);
    const rows = order.map((at) => {
      const bar = element("span", "live-bar");
      bar.style.setProperty("--share", probabilities[at]);
      bar.ariaHidden = "true"; // the number beside it says the same
      const row = element("li", at === place ? "live-class live-best" : "live-class");
      row.append(element("span", "live-name", this.name(at)), bar, element("span", "live-share", percent(probabilities[at])));
      return row;
    });
    const first = element("ol", "", ...rows.slice(0, SHOWN_CLASSES));
    if (rows.length <= SHOWN_CLASSES) return [first];
    const summary = element("summary", "", `${rows.length - SHOWN_CLASSES} more classes`);
    const isOpen = byId("live-classes").querySelector("details")?.open ?? false;
    const rest = element("details", "", summary, element("ol", "", ...rows.slice(SHOWN_CLASSES)));
    rest.open = isOpen;
    return [first, rest];
  }

  legend({ place, rival }) {
    if (rival === null) return [];
    const forIt = element("mark", "live-for", "marked like this");
    const against = element("mark", "live-against", "like this");
    for (const mark of [forIt, against]) mark.style.setProperty("--strength", 0.7);
    return ["Words ", forIt, " speak for ", this.name(place), ", words ", against, " for ", this.name(rival), "."];
  }

  marked(text, { evidence }) {
    const shown = text.slice(0, SHOWN_TEXT);
    const nodes = stretches(shown, evidence).map(({ text: stretch, strength }) => {
      if (Math.abs(strength) < FAINTEST) return stretch;
      const mark = element("mark", strength > 0 ? "live-for" : "live-against", stretch);
      mark.style.setProperty("--strength", Math.abs(strength));
      return mark;
    });
    return shown === text ? nodes : [...nodes, element("em", "", ` … and ${text.length - shown.length} more characters`)];
  }

  /** The words that count most for the predicted class, and for its rival. */
  words({ evidence, place, rival }) {
    if (rival === null) return [];
    const side = (to, sign) => {
      const found = evidence.filter(({ weight }) => sign * weight > 1e-9);
      found.sort((a, b) => sign * (b.weight - a.weight));
      const items = found.slice(0, SHOWN_WORDS).map(({ term, weight }) => {
        return element("li", "", element("bdi", "", term), element("span", "live-weight", this.strength(Math.abs(weight))));
      });
      const list = items.length ? element("ol", "", ...items) : element("p", "", "none");
      return element("div", "", element("h4", "", "For ", this.name(to)), list);
    };
    return [side(place, 1), side(rival, -1)];
  }

  /** How strong evidence is: the factor of the odds, or the weight where it is not the logarithm of one. */
  strength(weight) {
    if (!this.isOdds) return weight.toPrecision(2);
    const factor = Math.exp(weight);
    return factor < 1e6 ? `×${factor < 10 ? factor.toFixed(1) : Math.round(factor)}` : `×10^${Math.round(Math.log10(factor))}`;
  }

  knownShare({ known, terms }) {
    if (!terms) return "The text has no words, so that only the prior decides.";
    if (!known) return "The model knows none of these words, so that only the prior decides.";
    return `The model knows ${known} of the ${terms} terms of this text.`;
  }
}

try {
  new LivePart(await readModel());
} catch (error) {
  byId("live-verdict").textContent = `The model cannot be used in this browser: ${error.message}`;
}
