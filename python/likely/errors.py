"""The errors and warnings of `likely`. Each message says what is wrong, where, and what to do."""

import sys


class LikelyError(Exception):
    """Base class of the errors that `likely` raises on purpose."""


class OptionError(LikelyError, ValueError, TypeError):
    """An option does not exist, or its value is not allowed."""


class TextError(LikelyError, TypeError, ValueError):
    """The texts are a single string, one is missing, or they have another type."""


class LabelError(LikelyError, TypeError, ValueError):
    """A label is missing, has the wrong type, or is not one of the model's classes."""


class ArgumentError(LikelyError, ValueError):
    """Texts, labels, weights or probabilities are empty, differ in number, or have impossible values."""


class NotLearnedError(LikelyError, ValueError):
    """The model never learned the texts to forget. It is unchanged.

    ``class_number`` is the kernel's number of the class, if the kernel found the error.
    """

    def __init__(self, message: str, class_number: int | None = None) -> None:
        super().__init__(message)
        self.class_number = class_number


class NotFittedError(LikelyError, ValueError, AttributeError):
    """The model has not learned anything yet."""


class TooLargeError(LikelyError, ValueError, OverflowError):
    """There are more terms or counts than 32-bit ids can number."""


class MismatchError(LikelyError, ValueError):
    """Two models split texts into different terms, so their counts cannot be added."""


class NotAdditiveError(LikelyError, ValueError):
    """The model was trained on all documents at once, so it cannot learn, forget, merge or leave out documents."""


class PrunedError(LikelyError, ValueError):
    """Terms were dropped from the model, so it cannot forget, subtract or leave out documents."""


class ModelFileError(LikelyError, ValueError):
    """A file is not a model, is damaged, or was written by a newer version."""


class ReportError(LikelyError, ValueError):
    """A report or a page cannot be written: the folder is missing or not free, or a browser cannot run the model."""


class SourceError(LikelyError, ValueError):
    """A source cannot be read: there is no such file or column, or its format is not clear."""


class MissingExtraError(SourceError, ImportError):
    """An optional library is needed and not installed."""


class SparkError(LikelyError, ValueError, RuntimeError):
    """Spark cannot start, or cannot do what you asked for."""


class BadRowsError(SourceError):
    """Rows are unreadable, and reading is strict or no rows are left."""


class ResumeError(LikelyError, ValueError):
    """A folder has the results of another run, or of a run that has not ended."""


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
    """A server cannot be reached, even after retrying."""


class DataWarning(UserWarning):
    """Rows were skipped, or labels look wrong. The message names the option that settles it."""


class TrainingWarning(UserWarning):
    """Options, thresholds or a calibration were not fitted to the current model."""


LengthError = ArgumentError
"""The name by which the kernel raises `ArgumentError`."""


def frames_of_ours() -> int:
    """Count the frames between the caller and the user's line, which a warning names."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in ("likely", "contextlib"):
        frame, level = frame.f_back, level + 1
    return level
