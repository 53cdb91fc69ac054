"""A filter for datatrove that keeps the documents which match an expression, by a model of `likely`.

pip install likely 'datatrove[io,processing]'

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

LocalPipelineExecutor(
    pipeline=[
        JsonlReader("web/"),
        LikelyFilter("language.likely", "p(en) >= 0.8"),
        LikelyFilter("quality.likely", "p(good) >= 0.8 and known > 0.3", save=True),
        JsonlWriter("kept/"),
    ],
    tasks=8,
).run()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from datatrove.pipeline.filters.base_filter import BaseFilter
from likely import _native, load
from likely.batch.where import Where

if TYPE_CHECKING:
    from datatrove.data import Document
    from datatrove.pipeline.writers.disk_base import DiskWriter
    from likely import NaiveBayes


class LikelyFilter(BaseFilter):
    """Keeps the documents that match an expression.

    Parameters
    ----------
    model : str
        The path of the model file. It is loaded once per process, when the first document comes.
    where : str
        The expression, such as ``p(good) >= 0.8 and known > 0.3``.
    save : bool
        Whether the label, its probability and the share of known terms are added to the metadata of each document.
    threads : int
        The number of threads that score a batch. The tasks of datatrove are processes, so one thread is enough.
    batch_size : int
        The number of documents that are scored together.
    exclusion_writer : DiskWriter, optional
        Writes the documents that do not match.
    """

    name = "🎲 likely"

    def __init__(
        self,
        model: str,
        where: str,
        *,
        save: bool = False,
        threads: int = 1,
        batch_size: int = 1000,
        exclusion_writer: DiskWriter | None = None,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.model_path, self.save, self.threads = model, save, threads
        self.where = Where.parse(where)
        self._model: NaiveBayes | None = None

    @property
    def model(self) -> NaiveBayes:
        """The model."""
        if self._model is None:
            self._model = load(self.model_path).set_params(threads=self.threads)
            self.where.check(self._model.classes_.tolist())
        return self._model

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Whether to keep a document, or why not."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """For each document whether to keep it, or why not."""
        texts = _native.Strings([document.text for document in batch])
        answers = self.model._predict_all(texts)
        matches = self.where.of_answers(texts, answers, self.model.classes_.tolist())
        if self.save:
            columns = (answers.answers, answers.probabilities[:, 0], answers.known)
            rows = zip(*(column.tolist() for column in columns), strict=True)
            for document, (label, probability, known) in zip(batch, rows, strict=True):
                document.metadata |= {"prediction": label, "probability": probability, "known": known}
        return [True if kept else (False, "no match") for kept in matches.tolist()]

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the model, which each process loads for itself."""
        return {**self.__dict__, "_model": None}
