"""The errors of likely, by name. Each message says what, where and what to do."""


class LikelyError(Exception):
    """Any error that likely raises on purpose."""


class OptionError(LikelyError, ValueError):
    """An option has a value that it cannot have."""


class UnknownOptionError(OptionError, TypeError):
    """There is no such option."""


class TextError(LikelyError, TypeError, ValueError):
    """What was given as texts are no texts: a single string, a missing text, another type."""


class LabelError(LikelyError, TypeError, ValueError):
    """A label is missing, or is neither str, int nor bool, or differs in kind from the others."""


class LengthError(LikelyError, ValueError):
    """Texts, labels and weights must be equally many, and at least one."""


class WeightError(LikelyError, ValueError):
    """A sample weight is negative, infinite or not a number."""


class UnknownClassError(LikelyError, ValueError):
    """The model knows no such class."""


class NotLearnedError(LikelyError, ValueError):
    """What was to be forgotten had not been learned; the model is unchanged.

    ``class_number`` is the kernel's number of the class it was missing from, where the kernel found out.
    """

    def __init__(self, message: str, class_number: int | None = None) -> None:
        super().__init__(message)
        self.class_number = class_number


class NotFittedError(LikelyError, ValueError, AttributeError):
    """The model has learned nothing yet."""


class TooLargeError(LikelyError, ValueError, OverflowError):
    """There are more counts than the kernel can number."""


class MismatchError(LikelyError, ValueError):
    """Two models cut texts into terms differently, so their counts cannot be added."""


class NotAdditiveError(LikelyError, ValueError):
    """The model was learned from all documents at once, so none can be learned on, forgotten, merged or left out."""


class ModelFileError(LikelyError, ValueError):
    """A file, or some bytes, are no model, a damaged one, or one that this version cannot read."""


class SourceError(LikelyError, ValueError):
    """Labelled texts cannot be read from here: no such file, no such column, a format that is not clear."""


class BadRowsError(SourceError):
    """Rows could not be read, and reading is strict or nothing was left."""


class SkippedRowsWarning(UserWarning):
    """Some rows of a source could not be read and were left out."""
