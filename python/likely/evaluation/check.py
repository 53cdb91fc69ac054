"""`DataCheck`: what was found in labelled texts that deserves a look, with examples and what to do."""

from __future__ import annotations

import difflib
import re
import shlex
from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from likely import _native
from likely.core.analyzer import Analyzer, thread_count
from likely.labels import coded
from likely.options.model import with_defaults
from likely.reading.rows import Labelled, Whole
from likely.terminal import WIDTH, counted, cut, named, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from likely.core.counts import Counts
    from likely.reading.batch import Skipped
    from likely.reading.corpus import Corpus
    from likely.types import Array, Label, Mask, Model, Starts


LONGEST = 300
"""At most this many characters of a text are kept; printed, a line is cut to the terminal."""


@dataclass(frozen=True)
class CheckExample:
    """A row that shows a finding. ``row`` is an index, from 0; printed, rows are counted from 1.

    ``note`` says what there is to see in this row, if the text does not show it.
    """

    row: int
    label: Label
    text: str
    note: str = ""


@dataclass(frozen=True)
class Finding:
    """Something in the data that deserves a look.

    Attributes
    ----------
    kind : str
        What it is about, such as "copies" or "encoding".
    serious : bool
        Whether a model of this data, or its evaluation, would be misleading.
    rows : int
        The number of rows that it concerns.
    says : str
        What was found, in one sentence.
    fix : str
        What to do: an option, or what to correct.
    examples : list of CheckExample
        Some of the rows.
    """

    kind: str
    serious: bool
    rows: int
    says: str
    fix: str
    examples: list[CheckExample] = field(default_factory=list)

    def __str__(self) -> str:
        mark = "SERIOUS  " if self.serious else ""
        lines = [wrapped(f"{mark}{printable(self.says)}")]
        for each in self.examples:
            note = f" [{printable(each.note)}]" if each.note else ""
            lines.append(
                cut(f"  row {each.row + 1:,} ({cut(printable(each.label), 30)}){note}: {printable(each.text)}")
            )
        return "\n".join([*lines, f"  {wrapped(f'-> {printable(self.fix)}', '     ', WIDTH - 2)}"])


@dataclass(frozen=True)
class DataCheck:
    """What was found in labelled texts.

    Attributes
    ----------
    rows : int
        The number of rows that were read.
    classes : dict
        The number of rows of each class, the largest first.
    findings : list of Finding
        What deserves a look, the serious ones first.
    notes : list of str
        What was not looked at, one sentence each.
    """

    rows: int
    classes: dict[Label, int]
    findings: list[Finding]
    notes: list[str]

    @property
    def serious(self) -> list[Finding]:
        """The findings with which a model, or its evaluation, would be misleading."""
        return [each for each in self.findings if each.serious]

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data, ready for JSON."""
        return {
            "rows": self.rows,
            "classes": [{"class": label, "rows": rows} for label, rows in self.classes.items()],
            "serious": len(self.serious),
            "findings": [asdict(each) for each in self.findings],
            "notes": self.notes,
        }

    def __str__(self) -> str:
        sizes = list(self.classes.items())
        shown = named(sizes, MOST_SIZES, lambda pair: f"{printable(pair[0])} {pair[1]:,}")
        parts = [wrapped(f"{counted(self.rows, 'row')} of {counted(len(sizes), 'class', 'classes')}: {shown}.")]
        parts += list(map(str, self.findings))
        if not self.findings:
            parts.append("No problems found.")
        else:
            serious = sum(each.serious for each in self.findings)
            parts.append(f"{counted(len(self.findings), 'finding')}, {serious} serious.")
        return "\n\n".join([*parts, *map(wrapped, self.notes)])


def examples_of(
    whole: Whole, rows: Iterable[int], most: int, note: Callable[[int], str] = lambda _: ""
) -> list[CheckExample]:
    """The first rows as examples, at most this many, each with the beginning of its text, and with its note."""
    return [
        CheckExample(row, whole.labels[row], " ".join(whole.texts[row][: 4 * LONGEST].split())[:LONGEST], note(row))
        for row in islice(rows, most)
    ]


def rows_are(number: int, total: int, what: str, whats: str) -> str:
    """How many rows are something, as the beginning of a sentence.

    Examples
    --------
    >>> rows_are(1, 200, "is empty", "are empty"), rows_are(200, 200, "is empty", "are empty")
    ('1 row of 200 (0.5%) is empty', '200 rows of 200 (100%) are empty')
    """
    share = 100 * number / total
    shown = f"{share:.0f}" if share >= 10 else f"{share:.2g}"
    return f"{counted(number, 'row')} of {total:,} ({shown}%) {what if number == 1 else whats}"


FEW = 10
"""A class of fewer rows than this has too few to be learned and tested."""
UNEQUAL = 100
"""Classes are very unequal if the largest has this many times more rows than the smallest."""
_NAMED = 5


def class_sizes(whole: Whole) -> dict[Label, int]:
    """The number of rows of each class, the largest first.

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> class_sizes(Whole(["a", "b", "c"], ["x", "y", "y"]))
    {'y': 2, 'x': 1}
    """
    return dict(sorted(Counter(whole.labels).items(), key=lambda pair: (-pair[1], str(pair[0]))))


def first_rows(whole: Whole) -> dict[Label, int]:
    """The first row of each class."""
    return {label: row for row, label in reversed(list(enumerate(whole.labels)))}


def size_findings(whole: Whole, most: int) -> Iterator[Finding]:
    """What is wrong with the sizes of the classes."""
    sizes = class_sizes(whole)
    if len(sizes) == 1:
        only = printable(next(iter(sizes)))
        fix = "add rows of another class, or read another column: --label-column COLUMN"
        yield Finding("classes", True, len(whole), f"All rows have the label {only}: nothing can be learned.", fix)
        return
    few = {label: rows for label, rows in sizes.items() if rows < FEW}
    if few:
        says = (
            f"{counted(len(few), 'class has', 'classes have')} fewer than {FEW} rows: "
            f"{named(list(few.items()), _NAMED, lambda pair: f'{printable(pair[0])} {pair[1]}')}."
        )
        examples = examples_of(whole, map(first_rows(whole).__getitem__, few), most)
        fix = "add rows, or leave these classes out"
        yield Finding("classes", False, sum(few.values()), says, fix, examples)
    (largest, many), (smallest, fewest) = next(iter(sizes.items())), list(sizes.items())[-1]
    if many >= UNEQUAL * fewest:
        says = (
            f"The largest class, {printable(largest)}, has {many // fewest:,} times as many rows as the smallest, "
            f"{printable(smallest)}: accuracy says little, look at the recall of each class."
        )
        fix = "train with class_weight='balanced' (--class-weight balanced)"
        yield Finding("balance", False, len(whole), says, fix)


RARER = 0.1
"""A label may misspell another one that at least this many times fewer rows have."""
ALIKE = 0.85
"""How alike two names are, by `difflib`, if one may misspell the other."""
SHORTEST = 4
"""Shorter names are not compared."""
NEGATING = ("un", "dis", "in", "im", "il", "ir", "non", "no", "not", "anti", "de", "mis", "a")
MOST_NAMES = 500
"""With more classes, names are not compared with each other."""


def label_findings(whole: Whole, doubts: list[str], most: int) -> Iterator[Finding]:
    """The doubts that came up while the labels were read, and names that look like misspellings of others."""
    for doubt in doubts:
        yield _doubt(whole, doubt, most)
    pairs = list(misspellings(class_sizes(whole)))
    if pairs:
        meant: dict[Label, str] = {one: other for one, other, _ in pairs}
        shown = ", ".join(f"{printable(one)!r} ({rows:,}) for {printable(other)!r}" for one, other, rows in pairs[:3])
        says = f"{counted(len(pairs), 'label looks', 'labels look')} like a misspelling of another one: {shown}."
        wrong = sorted(row for label, row in first_rows(whole).items() if label in meant)
        examples = examples_of(whole, wrong, most, lambda row: f"for {meant[whole.labels[row]]!r}")
        rows = sum(number for *_, number in pairs)
        yield Finding("labels", True, rows, says, "correct them", examples)


def _doubt(whole: Whole, doubt: str, most: int) -> Finding:
    """A doubt of `likely.reading.labels.doubts`: a sentence, a label that shows it, and options that settle it."""
    says, _, ways = doubt.partition(": ")
    number, label = re.match(r"[\d,]+", doubt), re.search(r"'[^']*'", says)
    shown = [row for row, each in enumerate(whole.labels) if label and repr(each) == label[0]]
    rows = int(number[0].replace(",", "")) if number else len(whole)
    return Finding("labels", True, rows, f"{says}.", ways, examples_of(whole, shown, most))


def misspellings(sizes: Mapping[Label, int]) -> Iterator[tuple[str, str, int]]:
    """Labels that a few rows have and that look like one that many have: both, and the number of rows.

    Examples
    --------
    >>> list(misspellings({"positive": 100, "negative": 90, "positve": 2, "negativ": 1, "neutral": 4}))
    [('positve', 'positive', 2), ('negativ', 'negative', 1)]
    >>> list(misspellings({"class 1": 100, "class 2": 3}))
    []
    """
    names = {label: rows for label, rows in sizes.items() if isinstance(label, str) and len(label) >= SHORTEST}
    if len(names) > MOST_NAMES:
        return
    for one, rows in names.items():
        for other, more in names.items():
            if rows <= RARER * more and _looks_like(one, other):
                yield one, other, rows
                break


def _looks_like(one: str, other: str) -> bool:
    """Whether two names are alike, differ in more than case, spaces and digits, and have as many words.

    A word that the other name has with a negating prefix is another word.
    """
    bare, other_bare = (re.sub(r"\d", "", name).strip().casefold() for name in (one, other))
    words, others = (re.findall(r"[^\W_]+", name) for name in (bare, other_bare))
    is_negated = any(
        f"{no}{b}" == a or f"{no}{a}" == b for a, b in zip(words, others, strict=False) for no in NEGATING
    )
    if bare == other_bare or len(words) != len(others) or is_negated:
        return False
    return difflib.SequenceMatcher(None, bare, other_bare).ratio() >= ALIKE


_WRONG = ("cp1252", "latin-1")
"""The encodings that UTF-8 is usually mistaken for."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""Also characters of Windows (cp1252) that were read as Latin-1."""
_CONTINUING = "".join({bytes([code]).decode(codec, "ignore") for code in range(0x80, 0xC0) for codec in _WRONG})
_MOJIBAKE = re.compile(f"[\xc2-\xf4][{re.escape(_CONTINUING)}]+")
"""A byte that starts a character in UTF-8 and those that continue it, each read as a character."""


TROUBLES = {
    "replacement": (
        "the replacement character (U+FFFD)",
        "characters were lost in a conversion: read the original data, if need be with its encoding (--encoding)",
    ),
    "mojibake": (
        "characters of UTF-8 that were read as another encoding",
        "repair the texts where they were exported, or in Python: text.encode('cp1252').decode('utf-8')",
    ),
    "control": ("control characters", "remove them; or if the file is in another encoding, say which (--encoding)"),
}
"""What rows with wrong characters have, and what to do."""
MANY_TROUBLED = 0.01
"""From this share of the rows on, wrong characters are serious."""


def character_findings(whole: Whole, most: int) -> Iterator[Finding]:
    """What is wrong with the characters of the texts."""
    found: dict[str, dict[int, str]] = {kind: {} for kind in TROUBLES}
    for row, text in enumerate(whole.texts):
        for kind, sign in troubles(text):
            found[kind][row] = sign
    for (what, to_do), rows in zip(TROUBLES.values(), found.values(), strict=True):
        if rows:
            signs = ", ".join(name for name, _ in Counter(rows.values()).most_common(3))
            says = f"{rows_are(len(rows), len(whole), f'has {what}', f'have {what}')}, such as {signs}."
            examples = examples_of(whole, rows, most, rows.__getitem__)
            yield Finding("encoding", len(rows) >= MANY_TROUBLED * len(whole), len(rows), says, to_do, examples)


def troubles(text: str) -> Iterator[tuple[str, str]]:
    r"""The kinds of trouble that a text has, each with the sign that shows it.

    Examples
    --------
    >>> list(troubles("CafÃ© \x00")), list(troubles("Café ❤️ 1️⃣"))
    ([('mojibake', "'Ã©' for 'é'"), ('control', 'U+0000')], [])
    """
    if not text.isascii():
        if "\ufffd" in text:
            yield "replacement", "U+FFFD"
        for found in _MOJIBAKE.finditer(text):
            meant = _meant(found[0])
            if meant is not None:
                yield "mojibake", f"{found[0]!r} for {meant!r}"
                break
    control = _CONTROL.search(text)
    if control:
        yield "control", f"U+{ord(control[0]):04X}"


def _meant(read: str) -> str | None:
    """The characters of UTF-8 that were read as cp1252 or Latin-1; None if they were not."""
    for codec in _WRONG:
        try:
            return read.encode(codec).decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
    return None


AT_ONCE = 1 << 14
"""The number of documents that are analyzed at a time."""


def terms_per_text(texts: list[str]) -> Starts:
    """The number of different words and pairs of neighbouring words of each text.

    Examples
    --------
    >>> terms_per_text(["a good film", "good", "..."])
    array([5, 1, 0])
    """
    analyzer = Analyzer.of(with_defaults({"ngrams": (1, 2), "hash_bits": 24}))
    found = [np.zeros(0, np.int64)]
    for start in range(0, len(texts), AT_ONCE):
        (_, _, starts), _ = _native.vectorize(analyzer.native, texts[start : start + AT_ONCE], thread_count(None))
        lengths: Starts = np.diff(starts).astype(np.int64)
        found.append(lengths)
    return np.concatenate(found)


MANY = 0.05
"""From this share of the rows on, empty documents are serious."""


def wordless_findings(whole: Whole, lengths: Starts, most: int) -> Iterator[Finding]:
    """The documents that have no word."""
    empty, total = np.flatnonzero(lengths == 0).tolist(), len(whole)
    if empty:
        says = rows_are(len(empty), total, "has no word", "have no word") + ": the prior alone decides their class."
        serious, examples = len(empty) >= MANY * total, examples_of(whole, empty, most)
        yield Finding("empty", serious, len(empty), says, "leave them out", examples)


CONTRADICTING = 0.01
"""From this share of the rows on, equal texts with different labels are serious."""


def copy_findings(whole: Whole, has_words: Mask, most: int) -> Iterator[Finding]:
    """The copies among the documents that have words, and equal texts with different labels."""
    codes, total = coded(whole.labels).codes.astype(np.int64), len(whole)
    _, first, text = np.unique(_native.copy_numbers(whole.texts), return_index=True, return_inverse=True)
    copies = np.flatnonzero(has_words & (first[text] != np.arange(total))).tolist()
    if copies:
        texts = counted(len(np.unique(text[copies])), "text")
        says = (
            f"{rows_are(len(copies), total, 'is a copy', 'are copies')} of earlier rows ({texts}, identical "
            "except for case, spaces and punctuation). `likely` evaluates them together, but training counts "
            "each one."
        )
        fix = "remove the copies if each text should count once"
        examples = examples_of(whole, copies, most, lambda row: f"a copy of row {first[text[row]] + 1:,}")
        yield Finding("copies", False, len(copies), says, fix, examples)
    width = codes.max(initial=0) + 1
    labels = np.bincount(np.unique(text * width + codes) // width)  # the number of labels of each text
    rows = np.flatnonzero(has_words & (labels[text] > 1))
    if len(rows):
        says = rows_are(len(rows), total, "has the same text as another row", "have the same text as another row")
        fix = "correct the labels, or leave these texts out"
        together = rows[np.argsort(text[rows], kind="stable")].tolist()
        serious, examples = len(rows) >= CONTRADICTING * total, examples_of(whole, together, 2 * most)
        yield Finding("contradictions", serious, len(rows), f"{says}, but a different label.", fix, examples)


FEWEST = 20
"""Terms of fewer documents than this are not looked at."""
SURE = 0.05
"""A term that leaks leaves at most this share of the errors that the share of its class alone would make."""
MUCH_OF_CLASS = 0.1
"""A term that leaks is in at least this share of the documents of its class."""
ALONE = 0.9
"""A term in at least this share of the documents of its class leaks, whatever the other terms do."""
FAR = 2.0
"""Other terms leak if they are in this many times more documents than the next best ones."""
MOST_LEAKS = 10
"""At most this many terms of a class leak: if there are more, they are ordinary words of the class."""


def leaks(inside: Array, classes: Array, unseen: float = 0) -> list[tuple[int, int, int | None]]:
    """The place of each term that leaks, that of its class, and that of the next best term, if there is one.

    ``inside`` has the number of documents with each term, one column per class; ``classes`` the number of documents
    of each class. There may be other terms, with at most ``unseen`` documents of a class.

    Examples
    --------
    >>> leaks(np.array([[50.0, 0.0], [30.0, 30.0], [0.0, 20.0]]), np.array([100.0, 100.0]))
    [(0, 0, None), (2, 1, None)]
    """
    with_term = inside.sum(axis=1)
    found: list[tuple[int, int, int | None]] = []
    for place in range(inside.shape[1]):
        errors = (with_term - inside[:, place] + 0.5) / (with_term + 1)
        prior = classes[place] / classes.sum()
        sure = np.flatnonzero((errors <= SURE * (1 - prior)) & (with_term >= FEWEST))
        sure = sure[np.argsort(-inside[sure, place], kind="stable")]
        number = _outliers(np.append(inside[sure, place], unseen) / classes[place])
        following = int(sure[number]) if number < len(sure) else None
        found += [(int(at), place, following) for at in sure[:number]]
    return sorted(found, key=lambda each: -inside[each[0], each[1]])


def _outliers(coverage: Array) -> int:
    """How many of the terms leak, all but the last one; ``coverage`` is in descending order.

    Examples
    --------
    >>> _outliers(np.array([0.5, 0.45, 0.1])), _outliers(np.array([0.3, 0.2, 0.15])), _outliers(np.array([0.95, 0.6]))
    (2, 0, 1)
    """
    coverage, following = coverage[:-1], coverage[1:]
    alone = int((coverage >= ALONE).sum())
    far = np.flatnonzero((coverage >= MUCH_OF_CLASS) & (coverage >= FAR * following))
    number = max(alone, int(far[0]) + 1 if len(far) else 0)
    return number if number <= MOST_LEAKS else 0


MUCH_LEAKED = 0.2
"""Words that leak are serious from this share of all documents on."""
MOST_LEAKED = 5
"""At most this many classes are told that words leak, those with most documents."""


def leak_findings(whole: Whole, counts: Counts, most: int) -> Iterator[Finding]:
    """The words that alone predict a class suspiciously well, one finding per class.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> texts = [f"page {at} draft" if at % 2 else f"page {at}" for at in range(100)]
    >>> whole = Whole(texts, ["new" if at % 2 else "old" for at in range(100)])
    >>> counts = NaiveBayes().fit(whole.texts, whole.labels)._snapshot().counts
    >>> print(next(leak_findings(whole, counts, 0)).says)
    'draft' alone predicts new: 100% of the 50 rows with it are of the class, and 100% of the class have it.
    """
    live, ids = counts.live(), counts.native.ids()
    ids = ids[counts.document_frequencies(ids) >= FEWEST]
    inside = counts.rows(ids, live.numbers, documents=True)
    sizes, names = counts.totals().documents[live.numbers], counts.native.spell(ids)
    by_class: dict[int, list[tuple[int, int | None]]] = {}
    for at, place, following in leaks(inside, sizes, unseen=FEWEST - 1):
        by_class.setdefault(place, []).append((at, following))
    for place, found in list(by_class.items())[:MOST_LEAKED]:
        label, (best, following), terms = live.labels[place], found[0], [names[at] for at, _ in found]
        documents, coverage = float(inside[best].sum()), inside[:, place] / sizes[place]
        shown = [repr(printable(term)) for term in terms]
        says = f"{shown[0]} alone predicts {printable(label)}"
        if len(shown) > 1:
            says += f", and so do {named(shown[1:], 8)}"
        says += (
            f": {100 * inside[best, place] / documents:.3g}% of the {documents:,.0f} rows with it are of the class, "
            f"and {100 * coverage[best]:.3g}% of the class have it"
        )
        if following is not None:
            says += f"; of the other terms the best, {printable(names[following])!r}, is in "
            says += f"{100 * coverage[following]:.3g}%"
        rows = (row for row, each in enumerate(whole.labels) if each == label)
        examples = examples_of(whole, (row for row in rows if _has(counts, whole.texts[row], terms[0])), most)
        fix = f"if that is not what the class is about, ignore it: {shlex.join(['--stop-words', ','.join(terms)])}"
        yield Finding(
            "leaks", documents / float(sizes.sum()) >= MUCH_LEAKED, int(documents), f"{says}.", fix, examples
        )


def _has(counts: Counts, text: str, term: str) -> bool:
    # The analyzer is asked only where the word could be.
    return term in text.casefold() and any(each.term == term for each in counts.analyzer.terms(text))


MANY_WRONG = 0.05
"""From this share of the rows on, wrong labels are serious."""
PROBABLY = 0.5
"""A label is probably wrong from this probability on."""


def mislabelled_findings(whole: Whole, model: Model, most: int) -> Iterator[Finding]:
    """The documents of not too small classes that contradict their labels, most probably wrong first."""
    sizes = class_sizes(whole)
    suspects = model.suspects(whole.texts, whole.labels, groups=whole.groups)
    # A model knows too little about a class of a few rows to contradict its labels.
    found = {
        each.row: f"rather {printable(each.suggested)} ({100 * each.probability:.0f}%): "
        + ", ".join(map(printable, each.words[:3]))
        for each in suspects
        if sizes[each.label] >= FEW and each.probability >= PROBABLY
    }
    if found:
        says = rows_are(len(found), len(whole), "is probably mislabelled", "are probably mislabelled") + "."
        fix = "look at them (--top shows more), and correct the labels"
        examples = examples_of(whole, found, most, found.__getitem__)
        yield Finding("mislabelled", len(found) >= MANY_WRONG * len(whole), len(found), says, fix, examples)


Fit: TypeAlias = "Callable[[list[str], list[Label]], Model]"
"""Makes a `NaiveBayes` of texts and labels."""
EXAMPLES = 3
"""At most this many examples of a finding are shown, if it is not told otherwise."""
MOST_SUSPECTED = 200_000
"""Mislabelled documents are looked for among the first rows only, as many as this."""


def check_corpus(corpus: Corpus, fit: Fit, top: int = EXAMPLES) -> DataCheck:
    """As `likely.check`, for a corpus that the caller has opened."""
    whole = Whole.of(Labelled(batch.texts, batch.labels_as(None), batch.weights, batch.groups) for batch in corpus)
    return check_rows(whole, corpus.labels.doubts(), fit, top, corpus.skipped)


def check_rows(
    whole: Whole, doubts: list[str], fit: Fit, top: int = EXAMPLES, skipped: Skipped | None = None
) -> DataCheck:
    """As `likely.check`, for rows in memory; ``doubts`` and ``skipped`` are what came up while they were read."""
    lengths, notes = terms_per_text(whole.texts), []
    if len(whole) > MOST_SUSPECTED:
        notes.append(f"Only the first {MOST_SUSPECTED:,} rows were searched for mislabelled documents.")
    findings = [
        *size_findings(whole, top),
        *label_findings(whole, doubts, top),
        *character_findings(whole, top),
        *wordless_findings(whole, lengths, top),
        *copy_findings(whole, lengths > 0, top),
        *(_model_findings(whole, fit, top) if len(set(whole.labels)) > 1 else ()),
        *(_unread(whole, skipped) if skipped else ()),
    ]
    return DataCheck(len(whole), class_sizes(whole), sorted(findings, key=lambda each: not each.serious), notes)


def _unread(whole: Whole, skipped: Skipped) -> Iterator[Finding]:
    """The rows that could not be read."""
    if skipped.count:
        fix = "correct these rows; with --strict, training stops at the first one"
        serious = skipped.count >= 0.01 * (len(whole) + skipped.count)
        yield Finding("unreadable", serious, skipped.count, f"{skipped}.", fix)


def _model_findings(whole: Whole, fit: Fit, top: int) -> Iterator[Finding]:
    """What a model of the rows tells."""
    model = fit(whole.texts, whole.labels)
    yield from leak_findings(whole, model._snapshot().counts, top)
    if len(whole) > MOST_SUSPECTED:
        first = slice(MOST_SUSPECTED)
        whole = Whole(whole.texts[first], whole.labels[first], None, whole.groups and whole.groups[first])
        model = fit(whole.texts, whole.labels)
    yield from mislabelled_findings(whole, model, top)


MOST_SIZES = 8
"""At most this many classes are named, the largest ones."""
