"""`likely predict`: one label per text."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from likely.cli.data import Progress, open_corpus, source_of, tell
from likely.cli.files import check_other_file, load_with_options
from likely.cli.flags import (
    FILE,
    WEIGH_OPTIONS,
    Command,
    Values,
    data_argument,
    given,
    option_flags,
    refuse_flags,
    switch,
    value,
)
from likely.cli.output import answer_no, emit, note
from likely.extras import spare_pandas
from likely.options.model import MODEL
from likely.options.reading import OF_LABELS, READING, WRITTEN_FORMATS
from likely.terminal import UNSURE, printable

if TYPE_CHECKING:
    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Label, Prior


@click.command("predict", cls=Command)
@click.argument("model", type=FILE)
@data_argument
@value("--text one_text", "TEXT", "Predict this one text.")
@switch("--exit-code", "Predict one mail; exit with 0 (spam), 1, 2 (unsure) or 3 (error).")
@switch("--add-header", "Predict one mail; copy it with a header line X-Likely.")
@switch("--proba", "Add the probability of the label, and the share of known terms.")
@value("--top", "K", "Add the K most probable labels and their probabilities.", click.IntRange(1))
@value(
    "--output-format output_format",
    None,
    "Write this format.  [default: the input format]",
    click.Choice(WRITTEN_FORMATS),
)
@value(
    "-o --output",
    "FILE",
    "Write to this file; with --where, also to a folder (kept/).",
    click.Path(path_type=str),
)
@value("--prediction-column name", "NAME", "Write predictions to this column.", default="prediction")
@value("--where", "EXPRESSION", "Add the column matches: 'p(good) >= 0.8 and known > 0.3'.")
@switch("--only-matching", "Write only matching rows, unchanged.")
@switch("--overwrite", "Replace the results of an earlier run in the folder.")
@option_flags(READING, without=OF_LABELS)
@option_flags(MODEL, only=WEIGH_OPTIONS)
def command(**values: Any) -> None:
    """Predict a label for each text.

    The output has the rows of the input in the same order, with all their columns and the prediction. If a row cannot
    be read, its prediction is empty and the column problem says why. DATA is as for train, but needs no labels;
    without DATA, standard input is read. Rows are written as soon as they are predicted.

    With --where and a folder as --output, each file of DATA becomes a file of the same name, format and compression.
    Run the command again to resume an interrupted run.

    With --exit-code, DATA is one mail, and the exit status is bogofilter's: 0 for the class spam (or junk), 1 for
    another class, 2 if the model abstains, 3 after an error.

    \b
    Examples:
      likely predict reviews.likely new.csv --proba > labelled.csv
      likely predict reviews.likely --text "a film to remember"
      likely predict quality.likely 'web/*.jsonl.zst' --where "p(good) >= 0.8" --only-matching -o kept/
    """
    of_data = {*READING, "output_format", "output", "where", "only_matching", "overwrite"}
    if values["exit_code"] or values["add_header"]:
        refuse_flags(of_data, "--exit-code and --add-header predict one mail: {} has no effect with them.")
        _predict_mail(values)
        return
    if values["one_text"] is not None:
        refuse_flags({*of_data, "data"}, "--text predicts one text: {} has no effect with it.")
        _predict_text(*load_with_options(values), values["one_text"], values)
        return
    if not values["data"] and values["sql"] is None and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("Give DATA, or a text with --text, or pipe the data in.")
    _check_where(values)
    if _is_folder(values):
        _filter(values)
        return
    if values["output"]:
        check_other_file(values["output"], [values["model"], *(values["data"] or ["-"])])
    _predict(*load_with_options(values), values)


def _is_folder(values: Values) -> bool:
    """Whether the place of the output is a folder: there is one, or its name ends with a slash."""
    output = values["output"] or "-"
    return bool(output.endswith(("/", os.sep)) or os.path.isdir(output))


def _check_where(values: Values) -> None:
    """Refuse flags that have no effect without others."""
    is_folder = _is_folder(values)
    if values["only_matching"] and values["where"] is None:
        raise click.UsageError("--only-matching needs an expression: give --where as well.")
    if values["overwrite"] and not is_folder:
        raise click.UsageError("--overwrite needs a folder: give one with --output, such as kept/.")
    if is_folder and values["where"] is None:
        raise click.UsageError(f"{values['output']} is a folder: name a file, or say which rows match with --where.")
    if is_folder:
        keeps = "{} is not allowed with a folder: output files keep the input format."
        refuse_flags(("output_format", "sql"), keeps)


def _filter(values: Values) -> None:
    """Write the rows of each file that match to a file of the same name."""
    from likely.batch.pipeline import filter_files, fingerprint_of

    mark = fingerprint_of(values["model"])
    model, prior = load_with_options(values)
    if not values["data"]:
        raise click.UsageError("Writing to a folder needs input files: give DATA, such as 'web/*.jsonl.zst'.")
    how = {name: values[name] for name in ("where", "only_matching", "proba", "top", "name", "overwrite")}
    how |= {"prior": prior, "fingerprint": mark, **given(READING, values)}
    spare_pandas()
    with Progress() as progress:
        found = filter_files(model, values["data"], values["output"], observe=progress.observe, **how)
    for line in found.notes:
        note(line)
    for name, why in found.unread.items():
        note(f"not written: {why if why.startswith(name) else f'{name}: {why}'}")
    emit(asdict(found), str(found))
    if found.unread:
        answer_no()


SPAM = ("spam", "junk")
"""What the class of unwanted mail is called, in any case."""


def _predict_mail(values: Values) -> None:
    """Predict one mail as bogofilter does: print its class, or copy it with a line that says it."""
    from likely.reading.mail import message_text, with_field

    text, data = values["one_text"], values["data"] or ["-"]
    if len(data) > 1 or (text is not None and (values["data"] or values["add_header"])):
        raise click.UsageError("Give one mail: a file, - for standard input, or (without --add-header) --text.")
    if values["add_header"]:
        refuse_flags(("json", "proba", "top"), "--add-header copies the mail: {} has no effect with it.")
    model, prior = load_with_options(values)
    spam = [label for label in model.classes_.tolist() if str(label).casefold() in SPAM]
    if values["exit_code"] and not spam:
        raise click.UsageError("--exit-code needs a model with a class called spam or junk.")
    raw = b""
    if text is None:
        with click.open_file(data[0], "rb") as file:
            raw = file.read()
        text = message_text(raw)
    if values["add_header"]:
        found = model._predict_all([text], prior=prior)
        answer = found.answers.tolist()[0]
        shown = UNSURE if answer is None else printable(answer)
        facts = f"{shown}, probability={found.probabilities[0][0]:.6g}, known={found.known[0]:.6g}"
        click.echo(with_field(raw, "X-Likely", facts), nl=False)
    else:
        answer = _predict_text(model, prior, text, values)
    if values["exit_code"]:
        click.get_current_context().exit(2 if answer is None else int(answer not in spam))


def _predict_text(model: NaiveBayes, prior: Prior | None, text: str, values: Values) -> Label | None:
    """Print the prediction for one text, and return it."""
    from likely.core.decisions import check_unsure

    if not values["json"]:
        check_unsure(model.classes_.tolist(), model.abstain)
    found = model._predict_all([text], values["top"] or 1, prior=prior)
    answer: Label | None = found.answers.tolist()[0]
    known = float(found.known[0])
    pairs = list(zip(found.labels[0].tolist(), found.probabilities[0].tolist(), strict=True))
    document: dict[str, object] = {values["name"]: answer, "probability": pairs[0][1], "known": known}
    shown = UNSURE if answer is None else printable(answer)
    if values["top"]:
        document["top"] = [{"label": label, "probability": share} for label, share in pairs]
    if values["proba"] or values["top"]:
        lines = [f"{printable(label)}\t{share:.6g}" for label, share in pairs]
        lines[0] = f"{shown}\t{pairs[0][1]:.6g}"
    else:
        lines = [shown]
    emit(document, "\n".join(lines))
    if not known:
        note("no known words in the text; predicting from the class prior")
    return answer


def _predict(model: NaiveBayes, prior: Prior | None, values: Values) -> None:
    """Write the rows of the data with their predictions."""
    from likely.batch.pipeline import RowPredictor
    from likely.batch.where import Where
    from likely.batch.writers import format_by_suffix, open_output

    where = None if values["where"] is None else Where.parse(values["where"])
    asked = "jsonl" if values["json"] else values["output_format"]
    how = {name: values[name] for name in ("name", "proba", "top", "only_matching")}
    form = asked or (format_by_suffix(values["output"]) if values["output"] else None)
    predictor = RowPredictor(model, prior=prior, where=where, format=form, is_format_given=asked is not None, **how)
    source = source_of(values, default="-")
    with Progress() as progress, open_output(values["output"]) as sink:
        progress.is_on = progress.is_on and not sink.isatty()
        corpus = open_corpus(values, progress, source, labelled=False, whole=True, prompt=_is_pipe(source))
        corpus.expect(model.columns_)
        doubts = predictor.write(corpus, sink)
    tell(corpus)
    for doubt in doubts:
        note(doubt)
    if 0 < corpus.rows == corpus.skipped.count:
        answer_no()


def _is_pipe(source: str | list[str] | None) -> bool:
    """Whether rows should be predicted as soon as they arrive: if they come from a pipe, not from files."""
    return bool(source) and all(each == "-" or not os.path.isfile(each) for each in source or [])
