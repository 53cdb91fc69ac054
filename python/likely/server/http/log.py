"""The log: one JSON object per line on standard error, in ASCII, and never with a text, a term or a token."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import TextIO


class Log:
    """Writes events. Paths are those of the table of routes, because the path of a request may have a text in it.

    Examples
    --------
    >>> import io, json
    >>> lines = io.StringIO()
    >>> Log(lines).event("listening", address="http://127.0.0.1:8000")
    >>> json.loads(lines.getvalue())["event"]
    'listening'
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream

    def event(self, event: str, *, level: str = "info", **fields: object) -> None:
        """Write an event with its time."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "level": level, "event": event, **fields}, default=str)
        self._stream.write(line + "\n")
        self._stream.flush()

    def error(self, error: BaseException, request_id: str) -> None:
        """Write where an error that nobody foresaw happened: files, lines and the type, but not its message.

        The message may have a part of a text in it.
        """
        frames = traceback.extract_tb(error.__traceback__)
        where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
        self.event("bug", level="error", id=request_id, error=type(error).__name__, where=where)


class ToLog(logging.Handler):
    """Passes what the server library says to the log, without arguments, which may have parts of a request."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write the message of a record as it is in the source."""
        self._log.event("uvicorn", level=record.levelname.lower(), message=str(record.msg).strip())
