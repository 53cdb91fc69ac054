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
    """The model cannot learn, forget or leave out documents: it was trained on all at once, or terms were dropped."""


class ModelFileError(LikelyError, ValueError):
    """A file is not a model, is damaged, or was written by a newer version."""


class OutputError(LikelyError, ValueError):
    """An output cannot be written: the place is missing or not free, or the model does not fit it."""


class SourceError(LikelyError, ValueError):
    """A source cannot be read: there is no such file or column, its format is unclear, or its rows are unreadable."""


class MissingExtraError(SourceError, ImportError):
    """An optional library is needed and not installed."""


class StoreError(LikelyError, ValueError):
    """A store cannot be used: it is missing, read-only, damaged, of another model, or was opened before a fork."""


class StoreFullError(StoreError):
    """There is no room for another correction. Nothing that was acknowledged is lost."""


class StoreBusyError(StoreError):
    """Another process holds the store."""


class KeyReuseError(LikelyError, ValueError):
    """An idempotency key was already used for a different request."""


class GuardError(LikelyError, ValueError):
    """A guard of the server refuses a correction: its label, a new class, or too many at once. Nothing was learned.

    ``wait`` is the number of seconds after which the next correction is allowed, or None if waiting does not help.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class RequestError(LikelyError, ValueError):
    """A server has refused a request, such as one without a token.

    ``status`` is the status of its answer, ``request_id`` the id under which the server's log has the request.
    """

    def __init__(self, message: str, status: int | None = None, request_id: str | None = None) -> None:
        super().__init__(message)
        self.status, self.request_id = status, request_id


class UnavailableError(RequestError, ConnectionError):
    """A server cannot be reached, or cannot do now what you asked for, even after retrying.

    ``status`` is None if nobody answered.
    """


class DataWarning(UserWarning):
    """Rows were skipped, or labels look wrong. The message names the option that settles it."""


class TrainingWarning(UserWarning):
    """Options, thresholds or a calibration were not fitted to the current model."""


class ImpossibleWarning(RuntimeWarning):
    """Texts are impossible in every class (``alpha=0``): 0/0 is not defined, and their predictions say nothing."""


def frames_of_ours() -> int:
    """Count the frames between the caller and the user's line, which a warning names."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in ("likely", "contextlib"):
        frame, level = frame.f_back, level + 1
    return level
