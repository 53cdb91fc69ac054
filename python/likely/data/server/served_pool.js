// The list of texts that the server was started with: it is offered, loaded in parts, and handed on to be labelled.

import { byId, element, printable } from "./dom.js";
import { counted } from "./numbers.js";
import { shortened } from "./parts.js";
import * as service from "./service.js";
import { attempt, known } from "./state.js";

export class ServedPool {
  constructor(starts) {
    byId("served-start").addEventListener("click", () => this.start(starts));
  }

  /** Shows what the server has, if it has a list and learns. Who may not learn is not asked for a token before. */
  async offer() {
    if (byId("teach").hidden || !byId("queue").hidden || !known.model?.learning.can_learn) return;
    await attempt(async () => {
      const { name, total, is_cut: isCut, texts } = await service.pool(0, 3);
      byId("served").hidden = name === null;
      if (name === null) return;
      this.name = name;
      byId("served-says").textContent = texts.length
        ? `${printable(name)}: ${counted(total, "distinct text")}${isCut ? ", the first in the file" : ""}. Texts already learned are left out.`
        : `${printable(name)}: ${total ? `all of its ${counted(total, "text")} are learned` : "there is no text in it"}.`;
      byId("served-preview").replaceChildren(...texts.map((text) => element("p", "", element("bdi", "", shortened(text, 120)))));
      byId("served-start").hidden = !texts.length;
    });
  }

  async start(starts) {
    const button = byId("served-start", HTMLButtonElement);
    button.disabled = true;
    await attempt(async () => {
      const texts = [];
      for (let at = 0; at !== null;) {
        const part = await service.pool(at);
        texts.push(...part.texts);
        at = part.next;
      }
      await starts(texts, this.name);
    });
    button.disabled = false;
  }
}
