"""A folder with a model and the JavaScript that classifies texts with it, in the shape of a module for npm."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from likely import _native
from likely.reports.live.part import terms_text
from likely.reports.live.scripts import needed, source
from likely.terminal import printable

if TYPE_CHECKING:
    from likely.reports.live.model_file import LiveModel

ENTRY = "index"
"""The module that others import."""

_TYPES = """\
/** A class: what the model predicts for texts. */
export type Label = {label};

/** A known term of a text. */
export interface Evidence {{
  /** The term as it is counted. */
  term: string;
  /** By how much it speaks for the predicted class against its best rival; below 0, it speaks for the rival. */
  weight: number;
  /** Where it occurs: start and end in UTF-16 code units, as for `String.prototype.slice`. */
  spans: [number, number][];
}}

export interface Answer {{
  /** The predicted class; the reject label of the model, or null, if the model abstains. */
  label: Label | null;
  /** Whether the model abstains. */
  isUnsure: boolean;
  /** The place of the predicted class among the labels, also if the model abstains. */
  place: number;
  /** The place of the best other class; null if there is only one class. */
  rival: number | null;
  /** The probability of each class, in the order of the labels. */
  probabilities: number[];
  /** How many terms of the text the model knows, and how many there are. */
  known: number;
  terms: number;
  evidence: Evidence[];
}}

export class Classifier {{
  /** @param file the content of model.json */
  constructor(file: object);
  readonly labels: Label[];
  classify(text: string): Answer;
}}

/** The text in stretches of equal strength, from -1 (against the predicted class) to 1 (for it). */
export function stretches(text: string, evidence: Evidence[]): {{ text: string; strength: number }}[];
"""

_README = """\
# {name}

A text classifier that [`likely`](https://pypi.org/project/likely/) has trained: naive Bayes in plain JavaScript,
without dependencies and without a network. {terms}

```js
import {{ readFile }} from "node:fs/promises";
import {{ Classifier }} from "./index.js";

const model = new Classifier(JSON.parse(await readFile(new URL("./model.json", import.meta.url), "utf-8")));
const {{ label, probabilities, evidence }} = model.classify("your text");
```

In a browser, load the model with `await (await fetch("model.json")).json()`.

Classes, in the order of `probabilities`: {classes}.

Its labels are those that `likely` predicts with the same terms, and its probabilities agree to 1e-9.
"""

MOST_CLASSES = 50
"""At most this many classes are named in the README."""


def module_files(live: LiveModel, name: str) -> dict[str, str]:
    """The files of the folder by name: the module, its types, the model, a package.json and a README.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.reports.live.model_file import live_model
    >>> files = module_files(live_model(NaiveBayes().fit(["a"], [1])._snapshot()), "My reviews")
    >>> sorted(files)[:4], json.loads(files["package.json"])["name"]
    (['README.md', 'characters.js', 'classifier.js', 'entities.js'], 'my-reviews')
    """
    package = package_name(name)
    return {
        "package.json": _package(package),
        "README.md": _README.format(name=package, terms=terms_text(live), classes=_classes(live)),
        "model.json": live.json + "\n",
        f"{ENTRY}.d.ts": _TYPES.format(label=_label_type(live)),
        **{f"{module}.js": source(module, live.stem_language) for module in needed(ENTRY)},
    }


def package_name(name: str) -> str:
    """A name that npm allows for a package: lower case letters, digits and hyphens.

    Examples
    --------
    >>> package_name("Reviews_2026.likely"), package_name("été"), package_name("日本")
    ('reviews-2026-likely', 't', 'likely-model')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:200] or "likely-model"


def _package(name: str) -> str:
    document = {
        "name": name,
        "version": "1.0.0",
        "description": "A text classifier that `likely` has trained.",
        "type": "module",
        "main": f"./{ENTRY}.js",
        "types": f"./{ENTRY}.d.ts",
        "exports": {
            ".": {"types": f"./{ENTRY}.d.ts", "default": f"./{ENTRY}.js"},
            "./model.json": "./model.json",
        },
        "sideEffects": False,
        "private": True,
        "likely": _native.VERSION,
    }
    return json.dumps(document, indent=2) + "\n"


def _label_type(live: LiveModel) -> str:
    kinds = {type(label) for label in live.labels}
    return " | ".join(name for kind, name in ((str, "string"), (int, "number"), (bool, "boolean")) if kind in kinds)


def _classes(live: LiveModel) -> str:
    names = [f"`{printable(label).replace('`', chr(39))}`" for label in live.labels[:MOST_CLASSES]]
    more = len(live.labels) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
