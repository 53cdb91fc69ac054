"""The arguments of each command, as types. They are imported by type checkers only, because numpy would come too."""

from __future__ import annotations

from typing import TypedDict

from likely.options.typed import ModelOptions, ReadingOptions, SelectOptions, TuningOptions


class Values(TypedDict, total=False):
    """The flags that every command has."""

    json: bool


class DataValues(Values, ReadingOptions, total=False):
    """The arguments of every command that reads data."""

    data: tuple[str, ...]


class SaveValues(Values, total=False):
    """The flags of every command that drops terms before it saves a model."""

    prune: int
    max_size: str | None


class TrainValues(DataValues, SaveValues, TuningOptions, ModelOptions, total=False):
    """The arguments of `likely train`."""

    output: str
    test: tuple[str, ...]
    holdout: float | None
    keep_holdout_out: bool


class PredictValues(DataValues, ModelOptions, total=False):
    """The arguments of `likely predict`."""

    model: str
    one_text: str | None
    proba: bool
    top: int | None
    output_format: str | None
    output_encoding: str | None
    output: str | None
    name: str
    where: str | None
    only_matching: bool
    overwrite: bool


class SelectValues(Values, SelectOptions, total=False):
    """The arguments of `likely select`."""

    target: tuple[str, ...]
    raw: tuple[str, ...]
    number: int
    output: str
    weights: str | None
    target_text: str | None


class EvaluateValues(DataValues, TuningOptions, ModelOptions, total=False):
    """The arguments of `likely evaluate`."""

    model: str | None
    cv: int | None
    holdout: float | None
    leave_one_out: bool
    trained_on: tuple[str, ...]
    min_accuracy: float | None
    min_f1: float | None
    html_file: str | None
    date: str | None


class CompareValues(DataValues, total=False):
    """The arguments of `likely compare`."""

    a: str
    b: str
    prediction: str
    fail_if_worse: bool


class CurveValues(DataValues, TuningOptions, ModelOptions, total=False):
    """The arguments of `likely curve`."""


class DriftValues(DataValues, total=False):
    """The arguments of `likely drift`."""

    model: str


class CheckValues(DataValues, total=False):
    """The arguments of `likely check`."""

    top: int


class ChangeValues(DataValues, total=False):
    """The arguments of `likely learn` and `likely forget`."""

    model: str
    output: str | None


class LearnValues(ChangeValues, total=False):
    """The arguments of `likely learn`."""

    new_classes: bool
    calibrate: bool


class ExplainValues(Values, total=False):
    """The arguments of `likely explain`."""

    model: str
    text: str
    top: int | None
    arithmetic: bool | None
    contrast: tuple[str, str] | None
    html_file: str | None


class InspectValues(Values, total=False):
    """The arguments of `likely inspect`."""

    models: tuple[str, ...]
    label: str | None
    top: int
    term: str | None


class MergeValues(SaveValues, total=False):
    """The arguments of `likely merge`."""

    models: tuple[str, ...]
    output: str


class ExportValues(Values, total=False):
    """The arguments of `likely export`."""

    model: str
    output: str
    max_size: str | None
    title: str | None


class ServeValues(Values, ReadingOptions, total=False):
    """The arguments of `likely serve`."""

    model: str | None
    store: str | None
    host: str
    port: int
    token_file: str | None
    allow_hosts: tuple[str, ...]
    keep_texts: bool
    max_classes: int
    rate_limit: float | None
    pool: tuple[str, ...]
    workers: int
    logs_requests: bool


class BackupValues(Values, total=False):
    """The arguments of `likely backup`."""

    store: str
    to: str


class VerifyValues(Values, total=False):
    """The arguments of `likely verify`."""

    store: str
    model: str | None


class RestoreValues(Values, total=False):
    """The arguments of `likely restore`."""

    backup: str
    store: str
    model: str | None
    replace: bool


class TokensValues(Values, ModelOptions, total=False):
    """The arguments of `likely tokens`."""

    words: tuple[str, ...]
