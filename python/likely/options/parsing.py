"""The values of options that texts on the command line stand for."""

from __future__ import annotations

from typing import NoReturn

from likely.options.kinds import is_threshold_goal


def parse_number(text: str) -> float:
    """The number in a text: whole, or a share if it has a decimal point."""
    return float(text) if "." in text or "e" in text.lower() else int(text)


def parse_optional(text: str) -> int | None:
    """The whole number in a text, or None for 'none'."""
    return None if text.lower() == "none" else int(text)


def parse_ngrams(text: str) -> tuple[int, ...]:
    """The pair of lengths in a text such as '1,2' or '1-2'."""
    return tuple(int(part) for part in text.replace("-", ",").split(","))


def parse_truth(text: str) -> bool:
    """True for 'true', False for 'false'."""
    if text.lower() not in ("true", "false"):
        raise ValueError(f"{text!r} is neither 'true' nor 'false'")
    return text.lower() == "true"


def parse_name(text: str) -> str | None:
    """The name itself, or None for 'none'."""
    return None if text.lower() == "none" else text


def parse_negation(text: str) -> str | list[str]:
    """'off', 'on', or the words of a list with commas."""
    return text if text in ("off", "on") else [word for word in text.split(",") if word]


def parse_prior(text: str) -> str | dict[str, float]:
    """The mapping in a text such as 'spam=0.2,ham=0.8', or a name. A class may contain a '='."""
    if "=" not in text:
        return text
    pairs = [pair.rpartition("=") for pair in text.split(",")]
    return {label: float(share) for label, _, share in pairs}


def parse_class_weight(text: str) -> str | dict[str, float] | None:
    """The mapping in a text such as 'spam=5,ham=1', the word 'balanced', or None for 'none'."""
    return None if text.lower() == "none" else parse_prior(text)


def parse_thresholds(text: str) -> str | dict[str, float] | dict[tuple[str, str], float]:
    """What thresholds are chosen for, the mapping in 'spam=0.3', costs, or no thresholds at all for 'none'.

    Examples
    --------
    >>> parse_thresholds("spam=0.3,junk=0.2"), parse_thresholds("f1:spam"), parse_thresholds("none")
    ({'spam': 0.3, 'junk': 0.2}, 'f1:spam', {})
    >>> parse_thresholds("cost:ham>spam=5,spam>ham=1")
    {('ham', 'spam'): 5.0, ('spam', 'ham'): 1.0}
    """
    if text.lower() == "none":
        return {}
    if is_threshold_goal(text):
        return text
    costs = text.removeprefix("cost:")
    pairs = [pair.rpartition("=") for pair in costs.split(",")]
    if costs is text:
        return {label: float(bound) for label, _, bound in pairs}
    split = [(*between.partition(">"), cost) for between, _, cost in pairs]
    return {(gold, predicted): float(cost) for gold, _, predicted, cost in split}


def parse_abstain(text: str) -> float | dict[str, float]:
    """The number in '0.9', the mapping in 'margin=0.2', or 0 (answer always) for 'none'."""
    if text.lower() == "none":
        return 0.0
    name, given, bound = text.rpartition("=")
    return {name: float(bound)} if given else float(text)


def parse_tokenizer(text: str) -> NoReturn:
    """Nothing: a text on the command line cannot be a function."""
    raise ValueError(f"a tokenizer is a function, which can only be given in Python, not {text!r}")
