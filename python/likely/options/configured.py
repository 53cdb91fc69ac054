"""An object that has the options of the table as attributes, by scikit-learn's contract but without importing it."""

from __future__ import annotations

import copy
from collections.abc import Collection  # noqa: TC003 - needed to resolve the annotations
from inspect import Parameter, Signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack, cast

from likely.options.conflicts import check_together
from likely.options.presets import with_preset
from likely.options.table import OPTIONS, check_options
from likely.types import (  # noqa: TC001 - needed to resolve the annotations
    Abstain,
    ClassWeight,
    Label,
    Prior,
    Thresholds,
    Tokenizer,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.options.typed import ModelOptions


class Configured:
    """Options as attributes: those given, else what the task stands for, else those chosen, else the defaults.

    An option that was given is never replaced by a preset or by tuning, also if it was given its default.

    Examples
    --------
    >>> Configured(task="sentiment", alpha=1.0).alpha, Configured(task="sentiment").alpha
    (1.0, 0.05)
    >>> Configured(task="sentiment").set_params(task="spam").alpha
    0.1
    """

    task: Literal["sentiment", "spam", "topics", "language", "authorship"] | None
    variant: Literal[
        "multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized", "nbsvm"
    ]
    alpha: float
    prior: Prior
    class_weight: ClassWeight
    analyzer: Literal["word", "char", "char_wb", "both"]
    ngrams: tuple[int, int]
    char_ngrams: tuple[int, int]
    lowercase: bool
    accents: Literal["keep", "strip"]
    normalize: Literal["none", "nfc", "nfkc"]
    punctuation: Literal["drop", "keep"]
    numbers: Literal["keep", "mask"]
    urls: Literal["split", "keep", "mask"]
    emails: Literal["split", "keep", "mask"]
    mentions: Literal["split", "keep", "mask"]
    hashtags: Literal["split", "keep", "mask"]
    stop_words: str | Collection[str] | None
    stem: str
    negation: str | Collection[str]
    spelling: Literal["off", "on"]
    min_documents: float
    max_documents: float
    max_terms: int | None
    hash_bits: int
    tokenizer: Tokenizer | None
    weighting: Literal["counts", "tfidf"]
    tf: Literal["sublinear", "raw"]
    idf: Literal["plain", "smooth"]
    norm: Literal["none", "l2"]
    loss: Literal["hinge", "logistic"]
    cost: float
    interpolation: float
    document_weight: Literal["length", "equal"]
    tune: str | None
    budget: str | float | None
    prefer: Literal["balanced", "small", "accurate"]
    strongest: bool
    calibrate: bool | None
    thresholds: Thresholds | None
    abstain: Abstain | None
    reject_label: Label | None
    threads: int | None

    _given: dict[str, Any]
    """The options that were given, by name."""
    _chosen: dict[str, Any]
    """The options that tuning has chosen, by name."""
    _settled: Any
    """What subclasses work out from the options; None as soon as an option changes."""

    def __init__(self, **options: Unpack[ModelOptions]) -> None:
        check_options(options)
        self._give(options)

    def _give(self, options: Mapping[str, Any]) -> None:
        given = {**vars(self).get("_given", {}), **options}
        chosen = vars(self).get("_chosen", {})
        self._hold(given, {name: value for name, value in chosen.items() if name not in options})

    def _choose(self, options: Mapping[str, Any]) -> None:
        """Take over the options that tuning has chosen, instead of those that it chose before."""
        self._hold(self._given, dict(options))

    def _hold(self, given: dict[str, Any], chosen: dict[str, Any]) -> None:
        vars(self).update(effective(given, chosen), _given=given, _chosen=chosen, _settled=None)

    def __setattr__(self, name: str, value: object) -> None:
        if name in OPTIONS:
            OPTIONS[name].check(value)
            self._give({name: value})
        else:
            super().__setattr__(name, value)

    def _options(self) -> dict[str, object]:
        """The values of all options, by name; ``OptionError`` if they contradict each other."""
        return self._options_with(self._chosen)

    def _options_with(self, chosen: Mapping[str, object]) -> dict[str, object]:
        """As `options`, if these options were the ones that tuning has chosen."""
        values = effective(self._given, chosen)
        check_together(values)
        return values

    def get_params(self, deep: bool = True) -> ModelOptions:
        """The options and their values.

        Parameters
        ----------
        deep : bool
            Accepted because scikit-learn passes it. Options do not hold estimators, so it makes no difference.
        """
        del deep
        return cast("ModelOptions", {name: getattr(self, name) for name in OPTIONS})

    def set_params(self, **options: Unpack[ModelOptions]) -> Self:
        """Change some options; all are checked before any is set."""
        check_options(options)
        self._give(options)
        return self

    def __repr__(self) -> str:
        given = [f"{name}={self._given[name]!r}" for name in OPTIONS if name in self._given]
        return f"{type(self).__name__}({', '.join(given)})"

    def __sklearn_clone__(self) -> Self:
        # Not from get_params: a clone must still know which options were given, and choose the others itself.
        return type(self)(**copy.deepcopy(self._given))

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn calls this, so it can be imported.
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(one_d_array=True, two_d_array=False, string=True),
        )


def effective(given: Mapping[str, Any], chosen: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """All options: those given, else what the task among them stands for, else those chosen, else the defaults.

    Examples
    --------
    >>> values = effective({"task": "sentiment", "alpha": 1.0}, {"alpha": 0.3, "ngrams": (1, 3), "stem": "english"})
    >>> values["alpha"], values["ngrams"], values["stem"], values["lowercase"]
    (1.0, (1, 2), 'english', True)
    """
    values = {**chosen, **with_preset(given), "task": given.get("task")}
    return {name: values.get(name, option.default) for name, option in OPTIONS.items()}


def _signature() -> Signature:
    """The signature of the constructor: one keyword per row of the table, for `help` and for whoever inspects it."""
    options = [Parameter(option.name, Parameter.KEYWORD_ONLY, default=option.default) for option in OPTIONS.values()]
    return Signature([Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *options])


Configured.__init__.__signature__ = _signature()  # type: ignore[attr-defined]
