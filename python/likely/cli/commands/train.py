"""`likely train`: a model file from labelled texts."""

from __future__ import annotations

import glob
import os
import shlex
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from likely.cli.data import Progress, open_corpus, reading_data, reading_document, source_of, tell
from likely.cli.files import check_model_place, details_flag, prune_flag, saved_document, saved_text
from likely.cli.flags import FILE, PART, Command, Values, data_argument, given, refuse_flags, training_flags, value
from likely.cli.output import emit, figure
from likely.options.model import MODEL
from likely.terminal import counted, named, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.evaluation.cross_validation import Measured
    from likely.evaluation.evaluation import Evaluation
    from likely.model.naive_bayes import NaiveBayes
    from likely.reading.corpus import Corpus
    from likely.types import Label

_MOST_CLASSES = 10


@click.command("train", cls=Command)
@data_argument
@value("-o --output", "MODEL", "Write the model to this file.", FILE, required=True)
@value("--test", "DATA", "Evaluate the model on this data.", multiple=True)
@value("--holdout", "SHARE", "Evaluate on this share of rows, then learn them too.", PART)
@prune_flag
@details_flag
@training_flags
def command(**values: Any) -> None:
    """Learn from labelled texts and write a model file.

    Without options of the model, training tunes them by leave-one-out. If you give one, nothing is tuned, unless you
    also give --tune, --budget or --prefer.

    DATA is files (CSV, JSON, Parquet, Excel, ...), a glob, a folder with one sub-folder per class, or - for standard
    input. If a folder contains train and test, the model is evaluated on test.

    \b
    Examples:
      likely train reviews.csv -o reviews.likely --holdout 0.2
      likely train reviews.csv -o reviews.likely --plain
    """
    source = source_of(values)
    _check(values, source)
    begun = time.perf_counter()
    measured = _measured(source, values) if values["holdout"] else None
    if measured:
        model, corpus = measured.model, measured.corpus
    else:
        with reading_data(values) as corpus:
            model = _trainer(values)(corpus)
    seconds = time.perf_counter() - begun
    # What is evaluated is what will be written.
    pruned = _pruned(model, values)
    evaluation = measured.evaluation if measured else _tested(pruned, corpus, source, values)
    saved = pruned.save(values["output"])
    rows = measured.plan.rows if measured else corpus.rows
    parts = {"calibration": model.calibration_, "copies": model._state.repeats, "thresholds": model.threshold_choice_}
    parts |= {"evaluation": evaluation, "holdout": measured}
    document = {
        "model": saved_document(saved),
        "read": reading_document(corpus),
        "classes": [{"class": label, "documents": figure(number)} for label, number in _class_sizes(model)],
        "terms": saved.terms,
        "seconds": seconds,
        "tuning": model.tuning_.to_dict() | {"command": model.tuning_.command} if model.tuning_ else None,
        **{name: each.to_dict() if each else None for name, each in parts.items()},
    }
    emit(
        document,
        lambda: _text([_figures(model, rows, seconds), saved_text(saved)], model, evaluation, measured, values),
    )


def _check(values: Values, source: str | list[str] | None) -> None:
    """Refuse arguments that cannot work, before anything is read."""
    if values["test"] and values["holdout"]:
        raise click.UsageError("Give --test or --holdout, not both.")
    if values["test"]:
        refuse_flags(("sql",), "--test cannot be combined with {}: use --holdout, or `likely evaluate`.")
    files = [] if source is None or isinstance(source, str) else source
    if values["holdout"] and any(each == "-" or _is_pipe(each) for each in files):
        raise click.UsageError(
            "--holdout reads the data several times, which is not possible with a pipe: use a file, or --test."
        )
    from likely.model.train import training_options

    training_options(given(MODEL, values), plain=bool(values["plain"]))
    check_model_place(values["output"], [*files, *values["test"]])
    for each in values["test"]:
        if each != "-" and not os.path.exists(each) and not glob.glob(each):
            raise click.UsageError(f"The test data {each} does not exist.")


def _is_pipe(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _trainer(values: Values) -> Callable[[Corpus], NaiveBayes]:
    """A function that trains the model of a corpus with the given options."""
    from likely.model.train import train_corpus

    return partial(train_corpus, options=given(MODEL, values), plain=bool(values["plain"]))


def _measured(source: str | list[str] | None, values: Values) -> Measured:
    """The model of all rows, measured on rows that were held out at first."""
    from likely.evaluation.cross_validation import measured
    from likely.model.measuring import train_again

    train, prune = _trainer(values), partial(_pruned, values=values)
    with Progress() as progress:
        found = measured(
            lambda split: open_corpus(values, progress, source, split=split),
            values["holdout"] or 0.0,
            train,
            train_again,
            prune,
        )
    tell(found.corpus)
    return found


def _pruned(model: NaiveBayes, values: Values) -> NaiveBayes:
    return model.pruned(min_documents=values["prune"] or 1)


def _tested(model: NaiveBayes, trained: Corpus, source: str | list[str] | None, values: Values) -> Evaluation | None:
    """The evaluation on the test data, or on the part of the data to test on; None if there is neither."""
    test = list(values["test"]) or (source if trained.remarks.has_test else None)
    if not test:
        return None
    reading = replace(trained.reading, weight=None, group=None)
    with reading_data(values, source=test, reading=reading, what="test data: ") as corpus:
        corpus.part = "test"
        return model._evaluate_corpus(corpus, abstain=model.abstain)


def _class_sizes(model: NaiveBayes) -> list[tuple[Label, float]]:
    return list(zip(model.classes_.tolist(), model.class_documents_.tolist(), strict=True))


def _figures(model: NaiveBayes, rows: int, seconds: float) -> str:
    """One sentence about what was learned."""
    sizes = sorted(_class_sizes(model), key=lambda pair: -pair[1])
    shown = named(sizes, _MOST_CLASSES, lambda pair: f"{printable(pair[0])} {pair[1]:,.0f}")
    classes = f"{counted(len(sizes), 'class', 'classes')} ({shown})"
    took = f" in {seconds:,.0f} s" if seconds >= 1 else ""
    return wrapped(f"Trained on {counted(rows, 'document')} of {classes}{took}.")


def _text(
    done: list[str], model: NaiveBayes, evaluation: Evaluation | None, measured: Measured | None, values: Values
) -> str:
    from likely.core.calibration import record_sentence
    from likely.core.decisions import thresholds_text
    from likely.training.material import FEWEST

    details, tuning, record = bool(values["details"]), model.tuning_, model.calibration_
    repeats, choice, join = model._state.repeats, model.threshold_choice_, ("\n\n" if details else "\n").join
    copies = [wrapped(f"Found {repeats}.")] if repeats and repeats.copies else []
    head = ["\n".join([*done, *copies])]
    head += [str(tuning) if details else wrapped(tuning.summary, "  ")] if tuning else []
    if model.tune and not tuning and not record:
        head.append(f"Not tuned or calibrated: that takes at least {FEWEST} distinct documents.")
    head += [str(record) if details else record_sentence(record)] if record and (details or not evaluation) else []
    head += [thresholds_text(choice, details=details)] if choice else []
    found = [evaluation.describe(details=details)] if evaluation else []
    found += measured.lines() if measured else []
    step = "predict {} NEW.csv" if evaluation else "evaluate {} TEST.csv"
    more = "" if details else " (everything that was measured: --details)"
    end = f"Next: likely {step.format(shlex.quote(printable(values['output'])))}{more}"
    return "\n\n".join(
        [join(filter(None, head)), join([*found, end])] if found else [join(filter(None, [*head, end]))]
    )
