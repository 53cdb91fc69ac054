"""`EvaluationReport`: how well the served model predicts test data, measured beside the requests.

All processes of a server share one file: what one of them has measured, the others show.
"""

from __future__ import annotations

import contextlib
import fcntl
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.json import Decoder, encode

from likely.errors import LikelyError, NotFittedError
from likely.reading.corpus import Corpus
from likely.reading.options import reading_of
from likely.report.material import About
from likely.report.writing import name_of_source, report_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from likely.evaluation.evaluation import Evaluation
    from likely.server.keeper import Keeper
    from likely.server.shared_file import SharedFile

State = Literal["off", "measuring", "measured", "failed"]


class Figures(Struct, frozen=True):
    """The main results of an evaluation, and of which moment of the model they are."""

    entry: int
    time: str
    seconds: float
    data: str
    documents: float
    accuracy: float
    low: float | None
    high: float | None
    macro_f1: float | None
    majority: float
    log_loss: float | None
    calibration_error: float | None
    warnings: list[str]


class Head(Struct, frozen=True):
    """What came of the last evaluation: figures, or the reason why there are none."""

    figures: Figures | None
    problem: str | None


_HEAD = Decoder(Head)
PATIENCE = 0.5
"""For this many seconds a process tries to become the one that measures: others look for a moment who that is."""


class EndedError(Exception):
    """The server ends, so that nothing more is measured."""


@dataclass
class EvaluationReport:
    """The report about the served model on test data.

    Parameters
    ----------
    keeper : Keeper
        The model.
    shared : tuple of SharedFile
        What all processes share: the report, and a file that the one that measures has locked. None without test
        data.
    places : tuple of str
        The files with the test data.
    reading : mapping
        Options of reading.
    name : str
        The name of the model.
    tell : callable
        Gets errors that nobody foresaw, for the log.
    """

    keeper: Keeper
    shared: tuple[SharedFile, ...] = ()
    places: tuple[str, ...] = ()
    reading: Mapping[str, object] = field(default_factory=dict)
    name: str = "model"
    tell: Callable[[Exception], None] = field(default=lambda error: None, repr=False)
    _thread: threading.Thread | None = field(default=None, init=False, repr=False)
    _turn: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _is_ending: bool = field(default=False, init=False, repr=False)

    def state(self) -> tuple[State, Head | None]:
        """What is known. The first question begins to measure."""
        if not self.shared:
            return "off", None
        found = self._read()
        if self._is_measuring():
            return "measuring", None if found is None else found[0]
        if found is None:
            self.measure()
            return "measuring", None
        return "failed" if found[0].figures is None else "measured", found[0]

    def page(self) -> bytes | None:
        """The last report as a page; None if there is none."""
        found = self._read()
        return None if found is None or not found[1] else found[1]

    def measure(self) -> None:
        """Begin to measure the model of this moment in a thread, unless that is done already."""
        with self._turn:
            if not self.shared or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._measure, name="likely: evaluation")
            self._thread.start()

    def close(self) -> None:
        """Stop measuring, and wait until that has happened."""
        self._is_ending = True
        if self._thread is not None:
            self._thread.join()

    def _measure(self) -> None:
        try:
            with self._alone(PATIENCE):
                figures, page = self._measured()
                self._write(Head(figures, None), page)
        except (EndedError, BlockingIOError):  # if another process is measuring, its report will do
            return
        except LikelyError as error:
            self._write(Head(None, " ".join(str(error).split())), b"")
        except Exception as error:
            self.tell(error)
            self._write(Head(None, "this is a bug in `likely`: the log of the server has the trace"), b"")

    def _measured(self) -> tuple[Figures, bytes]:
        begun = time.monotonic()
        if not self.keeper.model._is_fitted:
            raise NotFittedError("the model has not learned anything yet: teach it, and measure again")
        entry, model = self.keeper.copy()
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        # One thread is enough: requests are answered meanwhile. The figures are the same for any number.
        model.set_params(threads=1)
        corpus = Corpus(list(self.places), reading_of(self.reading), observe=self._go_on)
        corpus.part = "test"
        evaluation = model._evaluate_corpus(corpus, keep=True)
        self._go_on()
        data = name_of_source(list(self.places)) or ""
        remarks = [f"The data were {corpus.summary()}.", *corpus.notes()]
        about = About(date=moment[:10], model=self.name, data=data, reading=remarks)
        page = report_bytes(model, evaluation, about, live=False)
        return figures_of(evaluation, entry, moment, time.monotonic() - begun, data), page

    def _go_on(self, *done: object) -> None:
        """Called after each batch: end if the server does."""
        del done
        if self._is_ending:
            raise EndedError

    @contextlib.contextmanager
    def _alone(self, patience: float) -> Iterator[None]:
        """Held by the one process that measures; ``BlockingIOError`` if that is another one."""
        number, until = self.shared[1].number, time.monotonic() + patience
        while True:
            try:
                fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise
                time.sleep(PATIENCE / 100)
        try:
            yield
        finally:
            fcntl.lockf(number, fcntl.LOCK_UN)

    def _is_measuring(self) -> bool:
        with self._turn:  # a lock excludes processes, not threads
            if self._thread is not None and self._thread.is_alive():
                return True
            try:
                with self._alone(0.0):
                    return False
            except BlockingIOError:
                return True

    def _write(self, head: Head, page: bytes) -> None:
        self.shared[0].write(encode(head) + b"\n" + page)

    def _read(self) -> tuple[Head, bytes] | None:
        data = self.shared[0].read() if self.shared else b""
        head, _, page = data.partition(b"\n")
        return (_HEAD.decode(head), page) if head else None


def figures_of(evaluation: Evaluation, entry: int, moment: str, seconds: float, data: str) -> Figures:
    """The main results of an evaluation.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> found = NaiveBayes().fit(["good", "bad"], ["+", "-"]).evaluate(["good", "so good"], ["+", "-"], keep=True)
    >>> figures_of(found, 3, "2026-11-16T12:00:00+00:00", 0.5, "test.csv").accuracy
    0.5
    """
    interval, reliability = evaluation.intervals.get("accuracy"), evaluation.reliability
    return Figures(
        entry=entry,
        time=moment,
        seconds=round(seconds, 3),
        data=data,
        documents=evaluation.documents,
        accuracy=evaluation.accuracy,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        macro_f1=evaluation.macro.f,
        majority=evaluation.majority[1],
        log_loss=None if reliability is None else reliability.log_loss,
        calibration_error=None if reliability is None else reliability.expected_calibration_error,
        warnings=list(evaluation.warnings),
    )
