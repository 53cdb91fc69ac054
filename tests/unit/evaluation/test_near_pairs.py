"""Near-copies among documents: compared with all pairs, in any script, and never quadratic."""

from __future__ import annotations

import random

import numpy as np
from likely.evaluation.near_copies import (
    ENOUGH,
    LEAST,
    FingerprintMaker,
    Fingerprints,
    closest_copies,
    copy_groups,
    near_pairs,
)


def prints_of(texts: list[str]) -> Fingerprints:
    return FingerprintMaker().add(texts).made()


def edited(words: list[str], edits: int, drawn: random.Random) -> str:
    words = list(words)
    for _ in range(edits):
        words[drawn.randrange(len(words))] = f"new{drawn.randrange(10**6)}"
    return " ".join(words)


def corpus() -> list[str]:
    drawn = random.Random(3)
    originals = [[f"w{drawn.randrange(3000)}" for _ in range(drawn.randrange(5, 80))] for _ in range(200)]
    return [edited(words, edits, drawn) for words in originals for edits in range(4)]


def similarities(prints: Fingerprints) -> dict[tuple[int, int], float]:
    """The similarity of all pairs, by sets of Python."""
    sets = [set(prints.features[a:b].tolist()) for a, b in zip(prints.starts[:-1], prints.starts[1:], strict=True)]
    return {
        (one, other): len(sets[one] & sets[other]) / len(sets[one] | sets[other])
        for one in range(len(sets))
        for other in range(one + 1, len(sets))
        if sets[one] & sets[other]
    }


def test_nearly_all_pairs_are_found_and_none_is_wrong() -> None:
    prints = prints_of(corpus())
    expected = {pair: value for pair, value in similarities(prints).items() if value >= LEAST}
    found = near_pairs(prints, np.arange(len(prints)))
    pairs = dict(
        zip(zip(found.first.tolist(), found.second.tolist(), strict=True), found.similarity.tolist(), strict=True)
    )
    assert len(expected) > 300
    assert {pair: expected.get(pair) for pair in pairs} == pairs
    assert len(pairs) >= 0.99 * len(expected)


def test_the_closest_on_another_side() -> None:
    text = "a long enough sentence about a film that nobody has ever seen in any cinema of this town"
    near = text.replace("cinema", "theatre")
    texts = [text, text.upper(), near, "something else", text]
    assert closest_copies(prints_of(texts), np.array([0, 0, 1, 1, 0])).place.tolist() == [2, 2, 0, -1, 2]
    assert closest_copies(prints_of(texts), np.array([0, 1, 1, 1, 0])).place.tolist() == [1, 0, 0, -1, 1]
    assert closest_copies(prints_of(texts), exact=False).place.tolist() == [2, 2, 0, -1, 2]
    found = closest_copies(prints_of(texts))
    assert found.place.tolist() == [1, 0, 0, -1, 0]
    assert found.similarity.tolist()[:2] == [1.0, 1.0]
    assert LEAST <= found.similarity[2] < 1


def test_scripts_without_spaces() -> None:
    text = "这家酒店的位置非常好，服务员也很热情，房间干净整洁，下次来北京还会选择住在这里。"
    texts = [text, text.replace("北京", "上海"), "早餐的种类不多，味道一般，但是价格便宜，适合学生居住。"]
    assert closest_copies(prints_of(texts)).place.tolist() == [1, 0, -1]


def test_boilerplate_does_not_become_quadratic() -> None:
    texts = [
        f"Dear customer, your order {number} has been shipped and will arrive at your address within three days"
        for number in range(3000)
    ]
    prints = prints_of(texts)
    groups, pairs = copy_groups(prints)
    assert len(pairs.first) <= 2 * ENOUGH * len(texts)
    assert len(np.unique(groups)) == 1
    sides = np.arange(len(texts)) % 10
    assert closest_copies(prints, sides).found.all()


def test_groups_go_through_others() -> None:
    words = [f"w{number}" for number in range(60)]
    chain = [" ".join([*words[:at], *(f"x{number}" for number in range(at, 60))]) for at in range(60, 40, -2)]
    groups, _ = copy_groups(prints_of([*chain, "alone", "", ""]))
    assert groups.tolist() == [0] * len(chain) + [len(chain), len(chain) + 1, len(chain) + 2]


def test_there_may_be_nothing_to_compare() -> None:
    for texts in ([], [""], ["alone"], ["", ""]):
        prints = prints_of(texts)
        assert not closest_copies(prints).found.any()
        assert copy_groups(prints)[0].tolist() == list(range(len(texts)))
