"""Corrections that fade: weights by age, exact forgetting, and the same bits whichever way a model is made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import likely
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import OptionError
from likely.server.keeper import Correction, Fading, Keeper, actions
from likely.server.keeper.fading import STEPS, seconds_of
from likely.server.keeper.verifying import verify_at

DAY = 86_400.0
BEGIN = datetime(2026, 11, 16, tzinfo=UTC)


@dataclass
class Clock:
    """A clock that is set by hand; entries and weights go by it."""

    now: datetime = BEGIN

    def __call__(self) -> float:
        return self.now.timestamp()

    def wait(self, days: float) -> None:
        self.now += timedelta(days=days)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()

    class Time(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            del tz
            return found.now

    monkeypatch.setattr(actions, "datetime", Time)
    return found


def kept(folder: Path, clock: Clock, name: str = "a", *, half_life: float = 8 * DAY) -> Keeper:
    return Keeper.open(folder / "base.likely", folder / f"{name}.store", fading=Fading(half_life, clock))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    NaiveBayes(calibrate=True).fit(["good fun", "so good", "dull plot", "dull"], ["+", "+", "-", "-"]).save(
        tmp_path / "base.likely"
    )
    return tmp_path


def bytes_of(keeper: Keeper) -> bytes:
    return to_bytes(keeper.model._snapshot())


def test_a_correction_has_half_its_weight_after_the_half_life(folder: Path, clock: Clock) -> None:
    with kept(folder, clock) as keeper:
        assert keeper.status.half_life == 8 * DAY
        keeper.learn([Correction("zap zap", "-")])
        assert keeper.model.counts("zap")["-"].count == 2
        for days, left in ((0.5, 2.0), (7.5, 1.0), (8, 0.5), (8 * 15, 2 / 2**17), (80, 0.0)):
            clock.wait(days)
            keeper.refresh()
            assert keeper.model.counts("zap")["-"].count == pytest.approx(left, abs=1e-4)
        assert keeper.model.class_documents_.tolist() == [2, 2]  # the base does not fade
        assert keeper.forget(text="zap zap")[0].what == "forgotten"
        assert bytes_of(keeper) == (folder / "base.likely").read_bytes()


def test_weights_are_steps() -> None:
    assert Fading.weight(-3) == Fading.weight(0) == 1.0
    weights = [Fading.weight(age) for age in range(200)]
    assert weights == sorted(weights, reverse=True)
    assert all((weight * 2**16).is_integer() for weight in weights)
    assert weights[STEPS * 3] == 1 / 8
    assert weights[150] == 0.0


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), st.integers(0, 5), st.sampled_from("+-*")),
        st.tuples(st.just("forget"), st.integers(0, 5), st.just("")),
        st.tuples(st.just("undo"), st.just(0), st.just("")),
        st.tuples(st.just("wait"), st.integers(1, 30), st.just("")),
        st.tuples(st.just("fold"), st.just(0), st.just("")),
    ),
    max_size=14,
)


def do(keeper: Keeper, clock: Clock, what: str, number: int, label: str) -> None:
    """Do one of the actions; one that is not possible is refused."""
    text = " ".join(f"word{each}" for each in range(number + 1)) + " word0"
    try:
        if what == "learn":
            keeper.learn([Correction(text, label)])
        elif what == "forget":
            keeper.forget(text=text)
        elif what == "undo":
            keeper.undo()
        elif what == "fold":
            keeper.fold()
        else:
            clock.wait(number)
            keeper.refresh()
    except likely.errors.NotLearnedError:
        pass


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=ACTIONS)
def test_whatever_happened_the_model_is_that_of_the_entries_and_the_clock(
    steps: list[tuple[str, int, str]], folder: Path, clock: Clock, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("fading")
    (place / "base.likely").write_bytes((folder / "base.likely").read_bytes())
    with kept(place, clock) as keeper, kept(place, clock) as other:
        for step in steps:
            do(keeper, clock, *step)
        for each in (keeper, other):
            each.refresh()
        with kept(place, clock) as again:
            assert bytes_of(again) == bytes_of(keeper) == bytes_of(other)
        keeper.fold()
        assert verify_at(str(place / "a.store"), place / "base.likely").problems == []
        with Keeper.open(place / "base.likely", place / "a.store") as unfaded:
            assert bytes_of(unfaded) == to_bytes(_never_faded(place, keeper)._snapshot())
        for entry in keeper.history(limit=100):
            if keeper.are_learned([entry.digest]) == [True]:
                keeper.forget(digest=entry.digest)
        assert bytes_of(keeper) == (place / "base.likely").read_bytes()


def _never_faded(place: Path, keeper: Keeper) -> NaiveBayes:
    """The base and all that is learned now, with its whole weight."""
    from likely.server.keeper.document import counts_of
    from likely.server.keeper.replay import correct
    from likely.server.store.opening import open_store

    del keeper
    model, store = likely.load(place / "base.likely"), open_store(place / "a.store")
    with store.reading() as ledger:
        for entry in ledger.all_learned():
            correct(model, counts_of(entry), None)
    store.close()
    return model


def test_what_is_forgotten_leaves_nothing_under_the_same_clock(folder: Path, clock: Clock) -> None:
    with kept(folder, clock, "with") as keeper, kept(folder, clock, "without") as never:
        for at, (text, label) in enumerate([("zap one", "+"), ("secret zap zap", "-"), ("two", "*")]):
            for each in (keeper, never) if at != 1 else (keeper,):
                each.learn([Correction(text, label)])
            clock.wait(3)
            for each in (keeper, never):
                each.refresh()
        assert bytes_of(keeper) != bytes_of(never)
        keeper.forget(text="secret zap zap")
        assert bytes_of(keeper) == bytes_of(never)


def test_what_an_undo_puts_back_is_as_old_as_it_was(folder: Path, clock: Clock) -> None:
    with kept(folder, clock) as keeper:
        keeper.learn([Correction("zap", "-")])
        clock.wait(8)
        keeper.refresh()
        before = bytes_of(keeper)
        keeper.learn([Correction("zap", "+")])
        assert keeper.model.counts("zap")["+"].count == 1  # a person has looked at it again
        keeper.undo()
        assert bytes_of(keeper) == before
        keeper.forget(text="zap")
        keeper.undo()
        assert bytes_of(keeper) == before


def test_documents_that_count_as_shares_are_forgotten_exactly(tmp_path: Path, clock: Clock) -> None:
    NaiveBayes(document_weight="equal").fit(["a b c", "d"], ["+", "-"]).save(tmp_path / "base.likely")
    with kept(tmp_path, clock, half_life=11.3 * DAY) as keeper:
        for at in range(7):
            keeper.learn([Correction(" ".join("abcdefg"[: at + 1]), "+-"[at % 2])])
            clock.wait(1.7)
            keeper.refresh()
        with kept(tmp_path, clock, half_life=11.3 * DAY) as again:
            assert bytes_of(again) == bytes_of(keeper)
        for at in range(7):
            keeper.forget(text=" ".join("abcdefg"[: at + 1]))
        assert bytes_of(keeper) == (tmp_path / "base.likely").read_bytes()


@pytest.mark.parametrize("text", ["", "30", "d", "-3d", "3 years", "1e3d", "nand"])
def test_what_is_not_a_time_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="write a number and a unit"):
        seconds_of(text)


def test_a_half_life_has_at_least_a_minute() -> None:
    for wrong in (0.0, 59.0, float("nan"), -1.0):
        with pytest.raises(OptionError, match="at least 60"):
            Fading(wrong)
