"""Options with several parts: entities, n-grams, forms of tf-idf, the details of nbsvm, and abstaining.

Each part has a name of its own in the core, and had one in model files until format 6: `parts_of` and
`with_compounds` translate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from likely.errors import OptionError
from likely.options.kinds import LONGEST_NGRAM, Kind, is_cost, is_label, is_share, is_whole, one_of, or_none

if TYPE_CHECKING:
    from likely.types import Label

Values: TypeAlias = Mapping[str, Any]
"""Options or their parts by name."""
Found: TypeAlias = dict[str, Any]
"""The same, newly made."""
Abstention: TypeAlias = float | Values | None
"""A value of the option ``abstain``."""

# Web addresses, e-mail addresses, mentions, hashtags and numbers -------------------------------------------------

_PIECE = ("split", "keep", "mask")
ENTITIES: Mapping[str, tuple[str, ...]] = {
    "numbers": ("keep", "mask"),
    **dict.fromkeys(("urls", "emails", "mentions", "hashtags"), _PIECE),
}
"""What can be done with each kind of entity; the first is the default."""


def is_entities(value: object) -> bool:
    """Whether a value is None, what to do with all entities, or a mapping from some kinds of them.

    Examples
    --------
    >>> is_entities("mask"), is_entities({"urls": "keep"}), is_entities({"numbers": "split"})
    (True, True, False)
    """
    if isinstance(value, Mapping):
        return all(name in ENTITIES and treatment in ENTITIES[name] for name, treatment in value.items())
    return value is None or (isinstance(value, str) and value in ("keep", "mask"))


def _pairs(text: str) -> dict[str, str]:
    return {name: value for name, _, value in (pair.partition("=") for pair in text.split(","))}


def entities_of(value: str | Mapping[str, str] | None) -> dict[str, str]:
    """What to do with each kind of entity.

    Examples
    --------
    >>> entities_of({"urls": "mask"})
    {'numbers': 'keep', 'urls': 'mask', 'emails': 'split', 'mentions': 'split', 'hashtags': 'split'}
    """
    usual = {name: treatments[0] for name, treatments in ENTITIES.items()}
    return dict.fromkeys(ENTITIES, value) if isinstance(value, str) else usual | dict(value or {})


ENTITIES_KIND = Kind(
    f"None, 'keep', 'mask' or a mapping from some of {one_of(ENTITIES)} to {one_of(_PIECE)} (numbers are not split)",
    is_entities,
    or_none(lambda text: _pairs(text) if "=" in text else text),
    "keep|mask|KIND=keep|KIND=mask,...",
)

# N-grams ---------------------------------------------------------------------------------------------------------

CHARACTERS = (2, 4)
"""The lengths of n-grams of characters that go with words, if only those of words are given."""


def _is_lengths(value: object) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2 or not all(map(is_whole, value)):
        return False
    return bool(1 <= value[0] <= value[1] <= LONGEST_NGRAM)


def has_characters(value: object) -> bool:
    """Whether the lengths of n-grams are two pairs: those of words and those of characters.

    Examples
    --------
    >>> has_characters((1, 2)), has_characters(((1, 2), (3, 5)))
    (False, True)
    """
    return isinstance(value, tuple | list) and len(value) == 2 and all(map(_is_lengths, value))


def parse_ngrams(text: str) -> tuple[object, ...]:
    """The lengths in a text such as '1,2' or '1-2', or '1,2+3,5' for words and characters.

    Examples
    --------
    >>> parse_ngrams("1,2"), parse_ngrams("1,2+3,5")
    ((1, 2), ((1, 2), (3, 5)))
    """
    pairs = [tuple(int(part) for part in each.replace("-", ",").split(",")) for each in text.split("+")]
    return pairs[0] if len(pairs) == 1 else tuple(pairs)


def ngrams_of(value: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    """The lengths of the n-grams of words (or of what the analyzer says), and of the characters beside words.

    Examples
    --------
    >>> ngrams_of((1, 2)), ngrams_of(((1, 1), (3, 5)))
    (((1, 2), (2, 4)), ((1, 1), (3, 5)))
    """
    words, characters = value if has_characters(value) else (value, CHARACTERS)
    return (int(words[0]), int(words[1])), (int(characters[0]), int(characters[1]))


def as_tuple(value: object) -> object:
    """A list as a tuple, and lists in it too: JSON has no tuples."""
    return tuple(map(as_tuple, value)) if isinstance(value, list) else value


NGRAMS_KIND = Kind(
    f"a pair of whole numbers such as (1, 2), the shortest and the longest, from 1 to {LONGEST_NGRAM}, or two pairs "
    "for analyzer='both': of words and of characters",
    lambda value: _is_lengths(value) or has_characters(value),
    parse_ngrams,
    "MIN,MAX",
)

# Forms of tf-idf -------------------------------------------------------------------------------------------------

Weighting = Literal["counts", "tfidf", "tfidf_raw", "tfidf_smooth", "tfidf_raw_smooth"]
_FORMS: Mapping[str, tuple[str, str, str]] = {
    "counts": ("counts", "sublinear", "plain"),
    "tfidf": ("tfidf", "sublinear", "plain"),
    "tfidf_raw": ("tfidf", "raw", "plain"),
    "tfidf_smooth": ("tfidf", "sublinear", "smooth"),
    "tfidf_raw_smooth": ("tfidf", "raw", "smooth"),
}
"""For each form: whether terms are weighted by tf-idf, what tf is, and what idf is."""

IDF = ("plain", "smooth")

# Details of nbsvm ------------------------------------------------------------------------------------------------

NBSVM: Mapping[str, object] = {"loss": "hinge", "cost": 1.0, "interpolation": 1.0}
"""The details of the variant nbsvm, and their defaults."""


def is_nbsvm(value: object) -> bool:
    """Whether a value is None or a mapping from some details of nbsvm to values that they can have.

    Examples
    --------
    >>> is_nbsvm({"loss": "logistic", "cost": 0.5}), is_nbsvm({"cost": 0}), is_nbsvm({"depth": 3})
    (True, False, False)
    """
    if not isinstance(value, Mapping):
        return value is None
    checks = {"loss": ("hinge", "logistic").__contains__, "cost": is_cost, "interpolation": is_share}
    return all(name in checks and checks[name](detail) for name, detail in value.items())


NBSVM_KIND = Kind(
    "None or a mapping from some of 'loss' ('hinge' or 'logistic'), 'cost' (a finite number > 0) and 'interpolation' "
    "(a number from 0 to 1)",
    is_nbsvm,
    or_none(lambda text: {name: value if name == "loss" else float(value) for name, value in _pairs(text).items()}),
    "loss=NAME,cost=NUMBER,interpolation=NUMBER",
)

# Abstaining ------------------------------------------------------------------------------------------------------

ABSTAIN_BY = ("probability", "margin", "precision")
"""The criteria by which a model can abstain."""


def is_abstain(value: object) -> bool:
    """Whether a value is None, a probability, or a mapping from one criterion to its bound, maybe with a label.

    Examples
    --------
    >>> is_abstain(0.9), is_abstain({"margin": 0.2}), is_abstain({"probability": 0.9, "label": "unsure"})
    (True, True, True)
    >>> is_abstain(1.5), is_abstain({"label": "unsure"})
    (False, False)
    """
    if not isinstance(value, Mapping):
        return value is None or is_share(value)
    bounds = {name: bound for name, bound in value.items() if name != "label"}
    has_one = len(bounds) == 1 and all(name in ABSTAIN_BY and is_share(bound) for name, bound in bounds.items())
    return has_one and is_label(value.get("label", ""))


def parse_abstain(text: str) -> float | dict[str, object]:
    """The number in '0.9', the mapping in 'margin=0.2' or '0.9,label=unsure', or 0 (answer always) for 'none'.

    Examples
    --------
    >>> parse_abstain("0.9"), parse_abstain("0.9,label=not sure"), parse_abstain("margin=0.2")
    (0.9, {'probability': 0.9, 'label': 'not sure'}, {'margin': 0.2})
    """
    if text.lower() == "none":
        return 0.0
    bound, has_label, label = text.partition(",label=")
    name, is_named, number = bound.rpartition("=")
    if not (has_label or is_named):
        return float(text)
    return {name or "probability": float(number)} | ({"label": label} if has_label else {})


def criterion_of(abstain: Abstention) -> tuple[str, float] | None:
    """The criterion by which a model abstains, and its bound; None if it never does.

    Examples
    --------
    >>> criterion_of(0.9), criterion_of({"margin": 0.2, "label": "?"}), criterion_of(0), criterion_of(None)
    (('probability', 0.9), ('margin', 0.2), None, None)
    """
    if not isinstance(abstain, Mapping):
        return ("probability", float(abstain)) if abstain else None
    return next((name, float(bound)) for name, bound in abstain.items() if name != "label")


def reject_label_of(abstain: Abstention) -> Label | None:
    """The label that a model returns where it abstains; None if it has none."""
    return abstain.get("label") if isinstance(abstain, Mapping) else None


ABSTAIN_KIND = Kind(
    "None, a probability, or a mapping with one of 'probability', 'margin' and 'precision' and a number from 0 to 1, "
    "and maybe with a 'label'",
    is_abstain,
    parse_abstain,
    "NUMBER|margin=NUMBER|precision=NUMBER[,label=LABEL]",
)

# All of them -----------------------------------------------------------------------------------------------------

PARTS: Mapping[str, tuple[str, ...]] = {
    "entities": tuple(ENTITIES),
    "ngrams": ("ngrams", "char_ngrams"),
    "weighting": ("weighting", "tf", "idf"),
    "nbsvm": tuple(NBSVM),
    "prefer": ("prefer", "strongest"),
    "abstain": ("abstain", "reject_label"),
}
"""The options with several parts, and the names of their parts."""


def parts_of(options: Values) -> Found:
    """The options by name, with the parts of those that have several.

    Examples
    --------
    >>> parts_of({"alpha": 0.5, "weighting": "tfidf_raw", "nbsvm": {"cost": 2.0}})
    {'alpha': 0.5, 'weighting': 'tfidf', 'tf': 'raw', 'idf': 'plain', 'loss': 'hinge', 'cost': 2.0,
     'interpolation': 1.0}
    """
    found: Found = {}
    for name, value in options.items():
        match name:
            case "entities":
                found |= entities_of(value)
            case "nbsvm":
                found |= {**NBSVM, **(value or {})}
            case "ngrams":
                found |= zip(PARTS[name], ngrams_of(value), strict=True)
            case "weighting":
                found |= zip(PARTS[name], _FORMS[value], strict=True)
            case _:
                found[name] = value
    return found


def with_compounds(parts: Values) -> Found:
    """The options whose parts these are: what `parts_of` was made of. Parts that are missing have their defaults.

    Examples
    --------
    >>> with_compounds({"alpha": 0.5, "weighting": "tfidf", "tf": "raw", "urls": "mask"})
    {'alpha': 0.5, 'weighting': 'tfidf_raw', 'entities': {'urls': 'mask'}}
    """
    of = {part: name for name, names in PARTS.items() for part in names}
    found: Found = {}
    for part, value in parts.items():
        name = of.get(part, part)
        given = {each: parts[each] for each in PARTS.get(name, ()) if each in parts}
        if name not in found:  # an option that is there as it is stays so
            found[name] = value if set(given) <= {name} else _COMPOUNDS[name](given)
    return found


def _lengths(given: Values) -> tuple[object, ...]:
    words, characters = tuple(given.get("ngrams", (1, 1))), tuple(given.get("char_ngrams", CHARACTERS))
    return words if characters == CHARACTERS else (words, characters)


def _form(given: Values) -> str:
    form = (given.get("weighting", "counts"), given.get("tf", "sublinear"), given.get("idf", "plain"))
    for name, parts in _FORMS.items():
        if parts == form:
            return name
    raise OptionError(f"there is no weighting with {dict(given)}: it must be {one_of(_FORMS)}")


def _bound(given: Values) -> object:
    bound, label = given.get("abstain"), given.get("reject_label")
    if bound is None or label is None:
        return bound
    return {**(bound if isinstance(bound, Mapping) else {"probability": bound}), "label": label}


_COMPOUNDS: Mapping[str, Callable[[Values], object]] = {
    "entities": lambda given: {kind: each for kind, each in given.items() if each != ENTITIES[kind][0]} or None,
    "ngrams": _lengths,
    "weighting": _form,
    "nbsvm": lambda given: {detail: each for detail, each in given.items() if each != NBSVM[detail]} or None,
    "prefer": lambda given: "strongest" if given.get("strongest") else given.get("prefer", "balanced"),
    "abstain": _bound,
}
"""The value of each option from its parts."""
