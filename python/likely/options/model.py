"""`ModelOptions`: the options of a model, their presets, and which of them contradict each other."""

# ruff: noqa: RUF009 - `option` makes a field

import copy
import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

from likely.errors import OptionError
from likely.options import compound, kinds
from likely.options.option import Option, check_names, option, table_of

if TYPE_CHECKING:
    from likely.types import Abstain, ClassWeight, Prior, Thresholds, Tokenizer

Task = Literal["sentiment", "spam", "topics", "language", "authorship"]
Variant = Literal[
    "multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized", "nbsvm"
]


_model = functools.partial(option, group="Model")
_terms = functools.partial(option, group="Terms")
_tuning = functools.partial(option, group="Tuning", everyday=True)
_decisions = functools.partial(option, group="Decisions", everyday=True)


@dataclass(kw_only=True, eq=False, repr=False)
class ModelOptions:
    """The options of a model as attributes, by scikit-learn's contract but without importing it.

    An option is the value given, else what the task stands for, else what tuning chose, else the default. An option
    that was given is never replaced by a preset or by tuning, even if it was given its default.

    Examples
    --------
    >>> ModelOptions(task="sentiment", alpha=1.0).alpha, ModelOptions(task="sentiment").alpha
    (1.0, 0.05)
    >>> ModelOptions(task="sentiment").set_params(task="spam").alpha
    0.1
    """

    task: Task | None = _model(
        None,
        "Use options that suit this kind of task.",
        details="The reference lists them. Options that you give yourself take precedence.",
        everyday=True,
    )
    variant: Variant = _model(
        "multinomial",
        "Choose the variant of naive Bayes.",
        details="'multinomial' uses how often each term occurs, 'binary' only whether it occurs, 'bernoulli' also "
        "which terms are absent. The 'complement' variants estimate each class from the documents of all other "
        "classes. 'nbsvm' is a linear classifier on the ratios of naive Bayes, trained on all documents at once.",
        everyday=True,
    )
    alpha: float = _model(
        1.0,
        "Add this to every count (additive smoothing).",
        kinds.Kind(f"a number from 0 to {kinds.LARGEST_ALPHA:g}", kinds.is_alpha, float, "NUMBER"),
        details="1 is Laplace smoothing. With 0, an unseen term has probability 0.",
        everyday=True,
    )
    prior: "Prior" = _model(
        "fitted",
        "Set P(class) before the text is seen.",
        kinds.Kind(
            "'fitted', 'uniform' or a mapping from each class to its probability; the probabilities must sum to 1",
            kinds.is_prior,
            kinds.parse_prior,
            "fitted|uniform|CLASS=SHARE,...",
        ),
        details="'fitted' takes the shares of the training data, 'uniform' is equal for all classes, a mapping "
        "gives the probability of each class.",
    )
    class_weight: "ClassWeight" = _model(
        None,
        "Weight documents by class.",
        kinds.Kind(
            "None, 'balanced', 'sqrt_balanced' or a mapping from classes to weights from "
            f"{1 / kinds.LARGEST_WEIGHT:g} to {kinds.LARGEST_WEIGHT:g}",
            kinds.is_class_weight,
            kinds.or_none(kinds.parse_prior),
            "balanced|sqrt_balanced|CLASS=WEIGHT,...",
            known=kinds.CLASS_WEIGHTS,
        ),
        details="'balanced' gives all classes the same total weight, 'sqrt_balanced' takes the square roots of "
        "these weights; in a mapping, a class without a weight has the weight 1.",
        everyday=True,
    )
    analyzer: Literal["word", "char", "char_wb", "both"] = _terms(
        "word",
        "Make terms of words, characters or both.",
        details="'word' is for words of any script, 'char' for characters, 'char_wb' for characters within words, "
        "'both' for words and characters within words.",
        everyday=True,
    )
    ngrams: tuple[int, int] | tuple[tuple[int, int], tuple[int, int]] = _terms(
        (1, 1),
        "Make terms of MIN to MAX words or characters.",
        compound.NGRAMS_KIND,
        details="For analyzer 'both', two pairs set the lengths of words and of characters: ((1, 2), (3, 5)), or "
        "1,2+3,5 on the command line. By default characters within words have the lengths (2, 4) there.",
        everyday=True,
    )
    lowercase: bool = _terms(True, "Ignore case.")
    accents: Literal["keep", "strip"] = _terms("keep", "Keep or strip accents ('café' becomes 'cafe').")
    normalize: Literal["none", "nfc", "nfkc"] = _terms(
        "none",
        "Convert texts to this Unicode normal form.",
        details="'nfc' composes accents, 'nfkc' also replaces full-width letters, ligatures and similar characters "
        "by plain ones.",
    )
    punctuation: Literal["drop", "keep"] = _terms(
        "drop",
        "Drop punctuation marks, or keep each as a term.",
        details="'keep' also makes each symbol a term, and each emoticon such as :-) one term.",
    )
    entities: str | Mapping[str, str] | None = _terms(
        None,
        "Keep or mask URLs, e-mails, mentions, hashtags and numbers.",
        compound.ENTITIES_KIND,
        details="'keep' makes each of them one term, 'mask' all of a kind the same term: 3.14 becomes <number:9.99>. "
        "A mapping sets it for some kinds: {'urls': 'mask', 'hashtags': 'keep'}. The others are split into words; "
        "numbers are kept.",
        default_text="none",
    )
    stop_words: str | Collection[str] | None = _terms(
        None,
        "Leave out the stop words of a language or file.",
        kinds.Kind(
            "None, the code of a language (such as 'en'), 'auto', a list of words, or a file with one word per line",
            lambda value: value is None or kinds.is_words(value) or (isinstance(value, str) and bool(value)),
            kinds.or_none(str),
            "CODE|FILE|auto",
        ),
        details="A list of words, a file, or the code of a language. The list of a language contains no "
        "negators; 'auto' means the terms that occur in more than half of "
        "all documents.",
        everyday=True,
    )
    stem: str = _terms(
        "none",
        "Stem words of this language.",
        kinds.Kind(
            "'none' or a language that Snowball supports: " + ", ".join(kinds.STEM_LANGUAGES.values()),
            lambda value: isinstance(value, str) and value in kinds.STEMS,
            metavar="LANGUAGE",
            known=kinds.STEMS,
        ),
        details="The Snowball stemmer removes endings: 'loves' and 'loved' become the same term.",
        everyday=True,
    )
    negation: str | Collection[str] = _terms(
        "off",
        "Mark words after a negator: 'not good' becomes not, NOT_good.",
        kinds.Kind(
            "'off', 'on' for English negators, or a list of negators",
            lambda each: each in ("off", "on") if isinstance(each, str) else kinds.is_words(each) and len(each) > 0,
            lambda text: text if text in ("off", "on") else [word for word in text.split(",") if word],
            "off|on|WORD,...",
        ),
        details="The mark ends at the next punctuation mark.",
    )
    spelling: Literal["off", "on"] = _terms("off", "Read an unknown word as the known word that it misspells.")
    min_documents: float = _terms(
        1,
        "Ignore terms in fewer documents.",
        kinds.Kind(
            "a whole number of documents from 1 on, or a share of them between 0 and 1",
            kinds.is_documents,
            kinds.parse_number,
        ),
        details="Below 1, it is a share of all documents. They are learned all the same, so the number can be"
        " changed later.",
        everyday=True,
    )
    max_documents: float = _terms(
        1.0,
        "Ignore terms in more documents (up to 1.0: a share).",
        kinds.Kind(
            "a whole number of documents from 1 on, or a share of them up to 1.0",
            kinds.is_documents,
            kinds.parse_number,
        ),
        details="They are learned all the same, so the number can be changed later.",
    )
    max_terms: int | None = _terms(
        None,
        "Use at most this many terms, the most frequent ones.",
        kinds.whole(1, none="all"),
        details="Of equally frequent ones, those that are alphabetically first.",
        default_text="all",
    )
    hash_bits: int = _terms(
        0,
        "Hash terms into 2**N buckets without names.",
        kinds.Kind(f"0 or a whole number from {kinds.LEAST_BITS} to {kinds.MOST_BITS}", kinds.is_hash_bits, int),
        details="0 keeps the names of the terms.",
    )
    tokenizer: "Tokenizer | None" = _terms(
        None,
        "Split texts into tokens with this function.",
        kinds.Kind(
            "a function from a text to a list of its tokens, or None",
            lambda value: value is None or callable(value),
        ),
        details="It is for languages or rules of your own. A model file contains only its name.",
        has_flag=False,
    )
    weighting: compound.Weighting = _model(
        "counts",
        "Weigh terms by counts or tf-idf.",
        details="'tfidf' is (1 + log tf) * log(N / df). With 'raw', tf is the count itself; with 'smooth', idf is "
        "log((1 + N) / (1 + df)) + 1.",
    )
    norm: Literal["none", "l2"] = _model(
        "none",
        "For tf-idf and nbsvm: scale each document to unit length.",
        details="Training reads the texts twice; the model can then neither learn nor forget.",
    )
    nbsvm: Mapping[str, object] | None = _model(
        None,
        "Set loss, cost and interpolation of nbsvm.",
        compound.NBSVM_KIND,
        details="'loss' is 'hinge' (squared, the default) or 'logistic'. 'cost' is the penalty C, 1 by default; a "
        "larger one fits the data more closely. 'interpolation' blends the weights of naive Bayes (0) and the "
        "learned ones (1, the default).",
        default_text="none",
    )
    document_weight: Literal["length", "equal"] = _model(
        "length",
        "Count documents by their length, or all the same.",
        details="With 'equal', each term is divided by the Euclidean length of its document.",
    )
    tune: str | None = _tuning(
        None,
        "Tune options by this measure.",
        kinds.Kind(
            "None, " + kinds.one_of((*kinds.GOALS, "f1:CLASS")),
            kinds.is_goal,
            metavar="|".join((*kinds.GOALS, "f1:CLASS")),
            known=kinds.GOALS,
        ),
        details="Options that you give are not tuned. `train` tunes by 'auto' if no option is given. 'auto' "
        "chooses the best log-loss among the settings whose accuracy is not "
        "significantly below the best one.",
        default_text="auto",
    )
    budget: str | float | None = _tuning(
        None,
        "Tune for about this long.",
        kinds.Kind("a time above 0 such as 30, '30s' or '2m', or None", kinds.is_budget, metavar="TIME"),
        default_text="10s",
    )
    prefer: Literal["balanced", "small", "accurate", "strongest"] = _tuning(
        "balanced",
        "Prefer small or accurate models.",
        details="'balanced' takes fewer terms if the model is about as good, 'small' takes the fewest terms that "
        "cost at most one point of accuracy, 'accurate' takes the best model, whatever its size. 'strongest' "
        "is like 'balanced', and also tries nbsvm, which cannot learn or forget.",
    )
    calibrate: bool | None = _decisions(
        None,
        "Calibrate probabilities.",
        details="It is done on exact leave-one-out scores. None calibrates if options are chosen, and if it "
        "is possible.",
        default_text="true if possible",
    )
    thresholds: "Thresholds | None" = _decisions(
        None,
        "Set decision thresholds, or a goal (f1:spam).",
        kinds.Kind(
            "None, a mapping from classes to probabilities between 0 and 1, or what to choose them for: 'f1:CLASS', "
            "'macro-f1', 'precision:CLASS=SHARE' or a mapping from pairs of a gold and a predicted class to costs",
            kinds.is_thresholds,
            kinds.parse_thresholds,
            "CLASS=NUMBER,...|GOAL|none",
        ),
        details="A class that reaches its threshold is predicted even if another class is more probable. "
        "Training can choose thresholds for an F1 (f1:CLASS, macro-f1), for a precision "
        "(precision:CLASS=NUMBER) or for the lowest cost "
        "(cost:A>B=NUMBER on the command line, 1 if it is not given); by default `train` does it for a class that "
        "would hardly ever be predicted. An empty mapping (or none) turns that off.",
        default_text="for rare classes",
    )
    abstain: "Abstain | None" = _decisions(
        None,
        "Abstain below this probability.",
        compound.ABSTAIN_KIND,
        details="Return None if the best class is less probable than this number, or if it leads by less than"
        " `margin`, or to reach a `precision`. A `label`, which no class has, is returned instead of None:"
        " {'probability': 0.9, 'label': 'unsure'}.",
        default_text="never",
    )
    threads: int | None = option(
        None,
        "Use this many threads; the results are always the same.",
        kinds.whole(1, kinds.MOST_THREADS, none="one thread per processor"),
        group="Output",
        default_text="one per processor",
    )

    def __post_init__(self) -> None:
        """Nothing; subclasses set up what they need beside the options."""

    def _give(self, options: Mapping[str, Any]) -> None:
        given = {**vars(self).get("_given", {}), **options}
        chosen = vars(self).get("_chosen", {})
        self._hold(given, {name: value for name, value in chosen.items() if name not in options})

    def _hold(self, given: dict[str, Any], chosen: dict[str, Any]) -> None:
        """Keep what was given and what was chosen. What subclasses work out (`_settled`) is out of date then."""
        vars(self).update(effective(given, chosen))
        self._given: dict[str, Any] = given
        self._chosen: dict[str, Any] = chosen
        self._settled: Any = None

    def __setattr__(self, name: str, value: object) -> None:
        if name in MODEL:
            MODEL[name].check(value)
            self._give({name: value})
        else:
            super().__setattr__(name, value)

    def _options(self) -> dict[str, Any]:
        """The values of all options, by name; ``OptionError`` if they contradict each other."""
        return self._options_with(self._chosen)

    def _options_with(self, chosen: Mapping[str, object]) -> dict[str, Any]:
        """As `_options`, if these options were the ones that tuning has chosen."""
        values = effective(self._given, chosen)
        check_together(values)
        return values

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options and their values.

        Parameters
        ----------
        deep : bool
            Accepted because scikit-learn passes it. Options do not hold estimators, so it makes no difference.
        """
        return {name: getattr(self, name) for name in MODEL}

    def set_params(self, **options: object) -> Self:
        """Change some options; all are checked before any is set."""
        check_options(options)
        self._give(options)
        return self

    def __repr__(self) -> str:
        given = [f"{name}={self._given[name]!r}" for name in MODEL if name in self._given]
        return f"{type(self).__name__}({', '.join(given)})"

    def __sklearn_clone__(self) -> Self:
        # Not from get_params: a clone must still know which options were given, and choose the others itself.
        clone = type(self)(**copy.deepcopy(self._given))
        if "_metadata_request" in vars(self):
            vars(clone)["_metadata_request"] = copy.deepcopy(vars(self)["_metadata_request"])
        return clone

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn calls this, so it can be imported.
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(one_d_array=True, two_d_array=False, string=True),
        )


@functools.wraps(ModelOptions.__init__)
def _init(self: ModelOptions, **options: Any) -> None:
    """Keep which options were given, which the constructor of a dataclass does not."""
    check_options(options)
    self._give(options)
    self.__post_init__()


ModelOptions.__init__ = _init  # type: ignore[method-assign]

MODEL: dict[str, Option] = table_of(ModelOptions)
"""The options of a model, by name."""

_OF_COUNTS = ("spelling", "min_documents", "max_documents", "max_terms")
ANALYZE_OPTIONS = tuple(name for name, each in MODEL.items() if each.group == "Terms" and name not in _OF_COUNTS)
"""The options that decide which terms a text has."""


def check_options(
    values: Mapping[str, object], others: Collection[str] = (), *, table: Mapping[str, Option] | None = None
) -> None:
    """Raise unless every name is an option of the table (by default of a model) and every value is allowed.

    ``others`` are further names that can be meant by a misspelled one.

    Examples
    --------
    >>> check_options({"alhpa": 0.5})
    Traceback (most recent call last):
    likely.errors.OptionError: there is no option 'alhpa': did you mean 'alpha'?
    """
    known = MODEL if table is None else table
    for name, value in values.items():
        check_names(name, known, others)
        known[name].check(value)


def with_defaults(values: Mapping[str, object], allowed: Collection[str] = tuple(MODEL)) -> dict[str, Any]:
    """All options of a model by name: the given values, which are checked, and the defaults of all others.

    Examples
    --------
    >>> with_defaults({"alpha": 0.5})["ngrams"]
    (1, 1)
    >>> with_defaults({"alpha": 0.5}, allowed=["ngrams"])
    Traceback (most recent call last):
    likely.errors.OptionError: option 'alpha' is not used here (valid: ngrams)
    """
    check_options(values)
    for name in values:
        if name not in allowed:
            raise OptionError(f"option {name!r} is not used here (valid: {', '.join(allowed)})")
    return {name: values.get(name, each.default) for name, each in MODEL.items()}


# Presets: `benchmarks/presets.md` shows why these options were chosen -----------------------------------------------

PRESETS: dict[str, dict[str, Any]] = {
    # Whether a word occurs matters more than how often. Pairs of words contain "not good". A long review is one
    # opinion, as a short one is. A small alpha helps rare classes; it is smaller still if each document weighs less.
    "sentiment": {"variant": "binary", "ngrams": (1, 2), "alpha": 0.05, "document_weight": "equal"},
    # Spam contains punctuation marks ("!!!", "£") and numbers. The shape of a number matters, not its value.
    "spam": {
        "variant": "binary",
        "ngrams": (1, 2),
        "punctuation": "keep",
        "entities": {"numbers": "mask"},
        "alpha": 0.1,
    },
    # Pairs of words are names and subjects. With many classes, a large alpha would hide the rare terms of small ones.
    "topics": {"ngrams": (1, 2), "alpha": 0.03},
    # Parts of words show the language of unknown words; whole words separate similar languages.
    "language": {"analyzer": "both", "alpha": 0.01},
    # Style is in frequent words, capital letters and punctuation marks; rare words depend on the subject. An author
    # with more texts in the training data is not a more probable author of a new text.
    "authorship": {"prior": "uniform", "lowercase": False, "punctuation": "keep", "max_terms": 1000},
}
"""The options that each task stands for."""


def _beside(given: Mapping[str, object]) -> dict[str, object]:
    """The options of the task, without those that were given or that would have no effect beside the given ones."""
    without: set[str] = set(given)
    if given.get("analyzer") in ("char", "char_wb"):
        without |= set(OF_WORDS)
    if given.get("norm") == "l2" or given.get("variant") in ("bernoulli", "complement_normalized", "nbsvm"):
        without.add("document_weight")
    if given.get("tokenizer") is not None:
        without |= {*PIECES, "analyzer"}
    return {name: value for name, value in PRESETS.get(str(given.get("task")), {}).items() if name not in without}


def with_preset(given: Mapping[str, object]) -> dict[str, Any]:
    """The given options, and the options of the task that were not given.

    Examples
    --------
    >>> with_preset({"task": "sentiment", "ngrams": (1, 1)})
    {'variant': 'binary', 'alpha': 0.05, 'document_weight': 'equal', 'ngrams': (1, 1)}
    """
    if given.get("task") is None:
        return dict(given)
    rest = {name: value for name, value in given.items() if name != "task"}
    return {**_beside(given), **rest}


def effective(given: Mapping[str, Any], chosen: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """All options: those given, else what the task among them stands for, else those chosen, else the defaults.

    Examples
    --------
    >>> values = effective({"task": "sentiment", "alpha": 1.0}, {"alpha": 0.3, "ngrams": (1, 3), "stem": "english"})
    >>> values["alpha"], values["ngrams"], values["stem"], values["lowercase"]
    (1.0, (1, 2), 'english', True)
    """
    values = {**chosen, **with_preset(given), "task": given.get("task")}
    return {name: values.get(name, option.default) for name, option in MODEL.items()}


# Conflicts ----------------------------------------------------------------------------------------------------

PIECES = ("punctuation", "entities")
"""Options for splitting a text into tokens. They have no effect if a tokenizer does that."""
OF_WORDS = (*PIECES, "stop_words", "stem", "negation", "spelling", "tokenizer")
"""Options for words. They have no effect if all terms are characters."""
OF_TUNING = ("budget", "prefer")


def check_together(options: Mapping[str, Any]) -> None:
    """Raise ``OptionError`` for options that contradict each other, or that have no effect beside the others.

    Examples
    --------
    >>> check_together(with_defaults({"stem": "english"}))
    >>> check_together(with_defaults({"stem": "english", "analyzer": "char"}))
    Traceback (most recent call last):
    likely.errors.OptionError: stem='english' has no effect with analyzer='char': analyzer must be 'word' or 'both'
    """
    for applies, names, because, instead in _without_effect(options):
        for name in names if applies else ():
            value, default = options[name], MODEL[name].default
            if not (tuple(value) == default if isinstance(value, list) else value == default):
                raise OptionError(f"{name}={value!r} has no effect with {because}={options[because]!r}: {instead}")
    _check_contradictions(options)


def _without_effect(given: Mapping[str, Any]) -> list[tuple[bool, Collection[str], str, str]]:
    """Options that have no effect, if the condition holds: their names, because of which option, and what to do."""
    variant, has_unit_length = given["variant"], given["norm"] == "l2"
    is_learned, is_normalized = variant == "nbsvm", variant == "complement_normalized"
    of_words = [name for name in OF_WORDS if not (name == "stop_words" and given["stop_words"] == "auto")]
    # Without smoothing, P(t|c) is a share of the counts of one class, and its weight cancels out.
    has_counts = given["weighting"] == "counts" and not is_learned
    cancels_out = given["alpha"] == 0 and given["prior"] != "fitted"
    corrected = "the length of a document would change with the words that are corrected"
    return [
        (given["analyzer"] in ("char", "char_wb"), of_words, "analyzer", "analyzer must be 'word' or 'both'"),
        (given["tokenizer"] is not None, PIECES, "tokenizer", "the tokenizer decides which tokens there are"),
        (has_counts, ["norm"], "weighting", "weighting must be a form of tf-idf"),
        (has_unit_length, ["document_weight"], "norm", "all documents have unit length already"),
        (has_unit_length, ["spelling"], "norm", corrected),
        (given["hash_bits"] > 0, ["spelling"], "hash_bits", "buckets have no names to compare words with"),
        (not is_learned, ["nbsvm"], "variant", "variant must be 'nbsvm'"),
        (is_learned, ["document_weight"], "variant", "use sample_weight to weight documents"),
        (is_learned, ["prior"], "variant", "the classifier learns how probable the classes are"),
        (is_learned, ["spelling"], "variant", "the weights are learned from the words as they are written"),
        (variant == "bernoulli", ["weighting", "document_weight"], "variant", "it uses only whether a term occurs"),
        (is_normalized, ["document_weight"], "variant", "this variant normalizes the weights itself"),
        (is_normalized and given["prior"] != "uniform", ["prior"], "variant", "this variant does not use the prior"),
        (cancels_out, ["class_weight"], "alpha", "alpha must be above 0, or prior must be 'fitted'"),
        (given["tune"] is None, OF_TUNING, "tune", "tune must be 'auto' or a measure"),
    ]


def _check_contradictions(given: Mapping[str, Any]) -> None:
    """Raise ``OptionError`` if two values contradict each other."""
    analyzer, ngrams, variant = given["analyzer"], given["ngrams"], given["variant"]
    least, most = given["min_documents"], given["max_documents"]
    if analyzer != "both" and compound.has_characters(ngrams):
        raise OptionError(
            f"ngrams={ngrams!r} has lengths of words and of characters, but analyzer={analyzer!r}: give one pair, or "
            "analyzer='both'"
        )
    if given["tokenizer"] is not None and analyzer == "both":
        raise OptionError("tokenizer contradicts analyzer='both': analyzer must be 'word'")
    if given["spelling"] == "on" and compound.ngrams_of(ngrams)[0][0] > 1:
        raise OptionError(f"spelling='on' contradicts ngrams={ngrams}: single words must be terms")
    if variant not in ("multinomial", "binary") and given["alpha"] == 0:
        raise OptionError(f"alpha=0 contradicts variant={variant!r}: this variant allows no zero probabilities")
    if kinds.is_whole(least) == kinds.is_whole(most) and least > most:
        raise OptionError(f"min_documents={least!r} is above max_documents={most!r}: no term would be left")


def check_cut(values: Mapping[str, Any]) -> None:
    """Raise as `check_together` does, where texts are split into terms without a model.

    Examples
    --------
    >>> check_cut(with_defaults({"stop_words": "auto"}))
    Traceback (most recent call last):
    likely.errors.OptionError: stop_words='auto' has no effect here: it needs the counts of a model
    """
    check_together(values)
    if isinstance(values["stop_words"], str) and values["stop_words"] == "auto":
        raise OptionError("stop_words='auto' has no effect here: it needs the counts of a model")
