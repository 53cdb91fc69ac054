"""The errors and warnings of `likely`. Each message says what is wrong, where, and what to do."""

import sys


class LikelyError(Exception):
    """The base class of all errors that `likely` raises on purpose."""


class OptionError(LikelyError, ValueError):
    """An option has a value that is not allowed."""


class UnknownOptionError(OptionError, TypeError):
    """There is no option of this name."""


class TextError(LikelyError, TypeError, ValueError):
    """The texts are not texts: they are a single string, contain a missing text, or are of another type."""


class LabelError(LikelyError, TypeError, ValueError):
    """A label is missing, is not a str, int or bool, or is of another type than the other labels."""


class LengthError(LikelyError, ValueError):
    """Texts, labels and weights differ in number, or there are none."""


class WeightError(LikelyError, ValueError):
    """A sample weight is negative, infinite or not a number."""


class ProbabilityError(LikelyError, ValueError):
    """Probabilities are negative or not numbers, do not sum to 1, or have another number of columns than classes."""


class UnknownClassError(LikelyError, ValueError):
    """The model has no class of this name."""


class NotLearnedError(LikelyError, ValueError):
    """The texts to forget were never learned. The model is unchanged.

    ``class_number`` is the number of the class in the kernel, if the kernel found the error.
    """

    def __init__(self, message: str, class_number: int | None = None) -> None:
        super().__init__(message)
        self.class_number = class_number


class NotFittedError(LikelyError, ValueError, AttributeError):
    """The model has not learned anything yet."""


class TooLargeError(LikelyError, ValueError, OverflowError):
    """There are more terms or counts than the kernel can number."""


class MismatchError(LikelyError, ValueError):
    """Two models split texts into different terms, so their counts cannot be added."""


class NotAdditiveError(LikelyError, ValueError):
    """The model was trained on all documents at once, so it cannot learn, forget, merge or leave out documents."""


class PrunedError(LikelyError, ValueError):
    """Terms were dropped from the model, so it cannot forget, subtract or leave out documents."""


class ModelFileError(LikelyError, ValueError):
    """A file is not a model, is damaged, or was written by a newer version."""


class ReportError(LikelyError, ValueError):
    """A report cannot be written: there is no such folder, or the place may not be written to."""


class ExportError(LikelyError, ValueError):
    """A model cannot be written for the browser: its texts cannot be prepared there, or the place is not free."""


class SourceError(LikelyError, ValueError):
    """Texts cannot be read from a source: there is no such file or column, or the format is not clear."""


class MissingExtraError(SourceError, ImportError):
    """A library that the base install leaves out is needed, and it is not installed."""


class SparkError(LikelyError, ValueError, RuntimeError):
    """Spark cannot be started, or cannot do what was asked for."""


class BadRowsError(SourceError):
    """Rows cannot be read, and reading is strict or no rows are left."""


class ParseError(LikelyError, ValueError):
    """An expression cannot be read.

    ``column`` is the place of the error, counted from 1.
    """

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


class ResumeError(LikelyError, ValueError):
    """A folder has results of other work, or of work that is still going on, and the results must not be mixed."""


class StoreError(LikelyError, ValueError):
    """A store of corrections cannot be used: it is damaged, belongs to another model, or was opened before a fork."""


class StoreFullError(StoreError):
    """There is no room for another correction. Nothing that was acknowledged is lost."""


class StoreReadOnlyError(StoreError):
    """The store may not be written to, or there is none, so nothing can be learned or forgotten."""


class StoreBusyError(StoreError):
    """Another process holds the store."""


class KeyReuseError(LikelyError, ValueError):
    """An idempotency key came with another request before."""


class GuardError(LikelyError, ValueError):
    """A guard of the server refuses a correction. Nothing was learned."""


class TooManyClassesError(GuardError):
    """A correction has a new class, and there are as many classes as are allowed."""


class LabelTooLongError(GuardError):
    """The label of a correction is longer than allowed, or empty."""


class RateError(GuardError):
    """More corrections came from one sender than are allowed in this time.

    ``wait`` is the number of seconds after which the next one is allowed.
    """

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait


class RequestError(LikelyError, ValueError):
    """A server has refused a request.

    ``status`` is the status of its answer, ``request_id`` the id under which the log of the server has the request.
    """

    def __init__(self, message: str, status: int, request_id: str | None) -> None:
        super().__init__(message)
        self.status, self.request_id = status, request_id


class TokenError(RequestError):
    """A server wants a token, or another one."""


class UnavailableError(RequestError):
    """A server cannot do now what it was asked for, also after several attempts."""


class NotReachedError(LikelyError, ValueError, ConnectionError):
    """A server cannot be reached, or does not answer, also after several attempts."""


class SkippedRowsWarning(UserWarning):
    """Some rows of a source could not be read and were skipped."""


class ThresholdWarning(UserWarning):
    """Thresholds of classes were wished for, but not chosen for the model as it is now."""


class LabelDoubtWarning(UserWarning):
    """The labels of a source may not be what they should be. The message names the option that settles it."""


class NotJudgedWarning(UserWarning):
    """Options were not chosen, and probabilities not calibrated, because no document could be judged."""


class NotCalibratedWarning(UserWarning):
    """Probabilities are raw although the model was calibrated, because an option was changed since."""


def frames_of_ours() -> int:
    """The number of frames between the caller and the user of the library, whose line a warning names."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in ("likely", "contextlib"):
        frame, level = frame.f_back, level + 1
    return level
