"""Law: the two sides of every printed equation of an explanation are equal, to the digits that are printed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, getcontext
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.calibration import Calibration

from .conftest import Documents, columns

if TYPE_CHECKING:
    from likely.explanation.explanation import Explanation

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]\d+)?(?![\w.])")
OPTIONS: list[dict[str, Any]] = [
    {},
    {"alpha": 0},
    {"alpha": 0.3, "prior": {"x": 0.7, "y": 0.2, "z": 0.1}},
    {"class_weight": "balanced"},
    {"weighting": "tfidf", "ngrams": (1, 2)},
    {"weighting": "tfidf_raw", "norm": "l2"},
    {"variant": "binary"},
    {"variant": "bernoulli"},
    {"variant": "bernoulli", "alpha": 0.01},
    {"variant": "complement"},
    {"variant": "complement", "alpha": 0.1, "weighting": "tfidf"},
    {"variant": "complement_binary"},
    {"variant": "complement_normalized"},
    {"variant": "nbsvm"},
    {"variant": "nbsvm", "weighting": "tfidf", "norm": "l2"},
]
words = st.lists(st.sampled_from("abcdefg"), max_size=9).map(" ".join)
weights = st.sampled_from([1.0, 1.0, 1.0, 0.37, 2.5])
documents = st.lists(st.tuples(words, st.sampled_from("xyz"), weights), min_size=2, max_size=9)
calibrations = st.sampled_from([None, Calibration(0.7, 0.3, 0.1), Calibration(1.8, 0.0, 0.5)])


@dataclass(frozen=True)
class Range:
    """The numbers that a printed number may stand for."""

    low: Decimal
    high: Decimal

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low)

    def __sub__(self, other: Range) -> Range:
        return self + -other

    def __mul__(self, other: Range) -> Range:
        ends = [one * two for one in (self.low, self.high) for two in (other.low, other.high)]
        return Range(min(ends), max(ends))

    def __truediv__(self, other: Range) -> Range:
        return self * Range(1 / other.high, 1 / other.low)

    def __pow__(self, other: Range) -> Range:
        if self.high == 0:
            return self
        ends = [one**two for one in (self.low, self.high) for two in (other.low, other.high)]
        return Range(min(ends), max(ends))

    def meets(self, other: Range) -> bool:
        return self.low <= other.high and other.low <= self.high


def read(text: str, found: re.Match[str]) -> str:
    """A printed number as Python writes its range: fractions, counts and powers have more digits than results."""
    shown, before, after = found[0], text[: found.start()], text[found.end() :]
    value, rounding = Decimal(shown), Decimal("5.1e-4")
    is_power = before.endswith(("^", "^-", "^(", "^(-"))
    is_fraction = before.endswith("/") or after.startswith(("/", ")/"))
    is_sum = before.endswith("+") or after.startswith("+")
    digits = len(shown.split("e")[0].replace(".", "").lstrip("0"))
    if is_power or is_fraction or is_sum or digits > 4:
        rounding = Decimal("5.1e-6") if "." in shown else Decimal(0)
    slack = abs(value) * rounding
    if re.search(r"\.\d{4}$", shown):  # a logarithm
        slack = max(slack, Decimal("5.1e-5"))
    return f"Range(Decimal('{value - slack}'), Decimal('{value + slack}'))"


def ranged(text: str) -> Range:
    """The value of an expression: numbers, + - * / ^, brackets and e."""
    python = re.sub(r"(?<!\w)e\^", "E**", NUMBER.sub(lambda found: read(text, found), text)).replace("^", "**")
    e = Decimal(1).exp()
    result: Range = eval(python, {"Range": Range, "Decimal": Decimal, "E": Range(e, e)})  # noqa: S307
    return result


def about(value: float, digits: float = 1e-9) -> Range:
    ends = sorted([Decimal(value) * (1 - Decimal(digits)), Decimal(value) * (1 + Decimal(digits))])
    return Range(*ends)


def check_equations(printed: str) -> int:
    """Compare the sides of the equations; how many there are."""
    found = 0
    for line in printed.splitlines():
        sides = [side for side in re.sub(r" [<>=] 0$", "", line).split(" = ")[1:] if side != "infinite"]
        if " = " not in line or not re.match(r"(P\(.\)|P\(.\|text\)|sum|log|learned bias|\w+-odds)", line):
            continue
        ranges = [ranged(side) for side in sides]
        assert all(one.meets(other) for one, other in pairwise(ranges)), line
        found += len(sides)
    return found


def check_table(explanation: Explanation, printed: str, base: str) -> None:
    """Compare each ratio with the columns before it, each logarithm with its ratio, and the sums with their parts."""
    head, *rows = printed.split("\n\n")[1].splitlines()
    unit = about(1.0 if base == "e" else math.log(float(base)))
    assert head.split()[-1] == ("log" if base == "e" else f"log{base}")
    ratios: dict[str, Range] = {}
    logs: dict[str, Range] = {}
    for row in rows:
        if (
            "infinite" in row
            or row.endswith("inf")
            or len(row.split()) < 3
            or not (row[0] == "(" or len(row.split()) > 5)
        ):
            return  # a word that is impossible in one of the classes, or in both
        name, *cells = re.split(r"\s{2,}", row.strip())
        if re.fullmatch(r"\(\w+( \w+)?\)", name) is None:
            count, left, right, ratio = cells[-5:-1]
            one, other, times = ranged(left), ranged(right), ranged(f"^({count})".replace("^", "1*"))
            times = times * about(explanation.factor)
            if explanation.has_weights:
                expected = (about(math.e) ** ((one - other) * times), (one - other) * times)
                assert expected[0].meets(ranged(ratio)), row
            else:
                if explanation.variant == "bernoulli":
                    whole = about(1.0, 0)
                    one, other = one / (whole - one), other / (whole - other)
                assert ((one / other) ** times).meets(ranged(ratio)), row
        ratios[name], logs[name] = ranged(cells[-2]), ranged(cells[-1])
        assert (about(math.e) ** (logs[name] * unit)).meets(ratios[name]), row
    parts = [name for name in ratios if name in ("(prior)", "(bias)", "(absent words)", "(words)")]
    product, total = about(1.0), about(0.0)
    for name in parts:
        product, total = product * ratios[name], total + logs[name]
    assert product.meets(ratios["(all)"]), printed
    assert total.meets(logs["(all)"]), printed
    product = about(1.0)
    for name, ratio in ratios.items():
        if not name.startswith("("):
            product *= ratio
    assert product.meets(ratios["(words)"]), printed


@pytest.fixture(scope="module", autouse=True)
def wide() -> Iterator[None]:
    """A terminal in which no line is wrapped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "2000")
        for name, value in {"prec": 16, "Emax": MAX_EMAX, "Emin": MIN_EMIN}.items():
            patch.setattr(getcontext(), name, value)
        yield


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(some=documents, text=words, calibration=calibrations, base=st.sampled_from(["e", "2", "10"]))
def test_both_sides_of_every_equation_are_equal(
    options: dict[str, Any], some: Documents, text: str, calibration: Calibration | None, base: Any
) -> None:
    assume({label for _, label, _ in some} == set("xyz") or "prior" not in options)
    assume(any(text for text, *_ in some))
    model = NaiveBayes(**options).fit(**columns(some))
    explanation = explained(model, text, calibration)
    printed = explanation.describe(arithmetic=True, log_base=base)
    equations = check_equations(printed)
    assert equations >= len(explanation.classes)
    for label, share in explanation.probabilities.items():
        if not explanation.is_impossible:
            (line,) = (line for line in printed.splitlines() if line.startswith(f"P({label}|text) = "))
            assert ranged(line.split(" = ")[-1]).meets(about(share)), line
    if explanation.rival is not None:
        check_table(explanation, printed, base)


def explained(model: NaiveBayes, text: str, calibration: Calibration | None) -> Explanation:
    """The explanation of a text with a calibration, whatever the training data would give."""
    from dataclasses import replace

    from likely.explanation.explanation import explain

    scorer, settled = model._scorer(), model._settle()
    moment = model._state.moment(settled.rules)
    return explain(moment, text, replace(scorer, calibration=calibration))
