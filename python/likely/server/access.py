"""What a request may do before it is answered: limits, tokens, Host and Origin, its body; and `ProblemError`."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import os
import stat
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from likely import errors
from likely.errors import DataWarning, OptionError
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.types import Receive

    from likely.types import Path

STATUS_OF: dict[type[Exception], int] = {
    errors.StoreFullError: 507,
    errors.StoreError: 503,
    errors.KeyReuseError: 409,
    errors.NotLearnedError: 404,
    errors.NotAdditiveError: 409,
    errors.NotFittedError: 409,
    errors.LikelyError: 422,
}
"""The status of each error of `likely`; an error that is not named has that of its base class."""


class ProblemError(Exception):
    """A request that gets an error as its answer.

    Examples
    --------
    >>> str(ProblemError(415, "send application/json"))
    'send application/json'
    """

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.headers = headers


def problem_of(error: Exception) -> ProblemError:
    """The problem that an error is. An unforeseen error is reported without any detail."""
    if isinstance(error, ProblemError):
        return error
    status = next((STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF), 500)
    if isinstance(error, errors.GuardError) and error.wait is not None:
        status = 429
    if status == 500:
        return ProblemError(
            500, "this is a bug in `likely`: the server's log has the traceback under this request ID"
        )
    seconds = max(1, round((getattr(error, "wait", None) or 5.0) + 0.5))
    headers = {"retry-after": str(seconds)} if status in (429, 503, 507) else {}
    return ProblemError(status, " ".join(str(error).split()), headers)


@dataclass(frozen=True)
class Limits:
    """How much a client may ask for, checked before anything is parsed; times are in seconds.

    Attributes
    ----------
    body : int
        The most bytes of a body.
    headers : int
        The most bytes of a request line and its headers.
    body_time : float
        How long a client may take to send a body.
    idle_time : float
        How long a connection may be idle between two requests.
    connections, requests : int
        How many connections may be open, and how many requests may be in work or waiting, at once.
    bodies : int
        How many bodies of each sender may be incomplete at once.
    drain_time : float
        How long requests in flight may take after SIGTERM.
    """

    body: int = 10_000_000
    headers: int = 16_384
    body_time: float = 30.0
    idle_time: float = 30.0
    connections: int = 1_024
    requests: int = 320
    bodies: int = 64
    drain_time: float = 10.0


Right: TypeAlias = Literal["open", "predict", "learn"]
"""What a route needs: nothing, a token of any kind, or a learn token."""

SHORTEST = 16
"""The least number of characters of a token: shorter ones can be guessed."""
VARIABLES: dict[str, Right] = {"LIKELY_PREDICT_TOKEN": "predict", "LIKELY_LEARN_TOKEN": "learn"}
"""The environment variables that may have a token."""
_ONCE = (b"host", b"origin", b"authorization", b"content-type")
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True)
class Tokens:
    """Tokens and their rights. A learn token may do everything; without any token, everybody may.

    Examples
    --------
    >>> tokens = Tokens.of({"correct-horse-battery": "predict"})
    >>> tokens.right_of(b"Bearer correct-horse-battery")
    'predict'
    >>> tokens.right_of(b"Bearer wrong"), tokens.right_of(None)
    ('open', 'open')
    >>> Tokens().right_of(None)
    'learn'
    """

    digests: tuple[tuple[bytes, Right], ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, tokens: Mapping[str, Right]) -> Tokens:
        """Tokens with their rights; only digests of them are kept."""
        for token, right in tokens.items():
            if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
                raise OptionError(
                    f"a {right} token is not allowed: a token has at least {SHORTEST} characters, in ASCII, without "
                    "spaces. `openssl rand -hex 32` makes a good one"
                )
        return cls(tuple((_digest(token.encode()), right) for token, right in tokens.items()))

    def __bool__(self) -> bool:
        return bool(self.digests)

    def right_of(self, authorization: bytes | None) -> Right:
        """The right of the value of an Authorization header.

        Every token is compared, and digests of one length are, so that time says nothing about a token.
        """
        if not self.digests:
            return "learn"
        scheme, _, token = (authorization or b"").partition(b" ")
        digest, found = _digest(token.strip()), "open"
        for each, right in self.digests:
            if hmac.compare_digest(each, digest) and scheme.lower() == b"bearer":
                found = right
        return cast("Right", found)


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def read_tokens(path: Path | None, environment: Mapping[str, str]) -> dict[str, Right]:
    """The tokens of a file, of which each line has a right and a token, and of the environment."""
    found: dict[str, Right] = {environment[name]: right for name, right in VARIABLES.items() if environment.get(name)}
    if path is None:
        return found
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file.read(1_000_000).splitlines()]
    for number, words in enumerate(lines, 1):
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or words[0] not in ("predict", "learn"):
            raise OptionError(
                f"{printable(os.fspath(path))}, line {number}: a line is `predict TOKEN` or `learn TOKEN`"
            )
        found[words[1]] = cast("Right", words[0])
    if not found:
        raise OptionError(f"{printable(os.fspath(path))} has no token: write a line such as `learn TOKEN`")
    return found


def warn_of_readers(path: Path) -> None:
    """Warn if everybody on this machine can read a file of tokens."""
    if os.stat(path).st_mode & stat.S_IROTH:
        about = "everybody on this machine can read these tokens: `chmod 600` keeps others out"
        warnings.warn(f"{printable(os.fspath(path))}: {about}", DataWarning, stacklevel=2)


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only.

    Examples
    --------
    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_address(host: str, tokens: Tokens) -> None:
    """Refuse to serve an address that others can reach, without a token."""
    if not tokens and not is_loopback(host):
        raise OptionError(
            f"{printable(host)} can be reached from other machines, so it needs a token: give --token-file, or set "
            "LIKELY_LEARN_TOKEN"
        )


def check_once(given: Sequence[tuple[bytes, bytes]], headers: Mapping[bytes, bytes]) -> None:
    """Refuse a request with two headers of a kind that decides who may do what: a proxy may have read the other one.

    Examples
    --------
    >>> check_once(given := [(b"accept", b"a"), (b"accept", b"b"), (b"host", b"a")], dict(given))
    """
    if len(headers) < len(given):
        names = [name for name, _ in given]
        for name in _ONCE:
            if names.count(name) > 1:
                raise ProblemError(400, f"the request has more than one {name.decode().title()} header")


@dataclass(frozen=True)
class Gate:
    """The checks of a request before it is read.

    Attributes
    ----------
    tokens : Tokens
        The tokens and their rights.
    hosts : frozenset of str
        The names, without port, that a Host header may have; if empty, any name.
    """

    tokens: Tokens
    hosts: frozenset[str] = LOCAL_NAMES

    def admit(self, headers: Mapping[bytes, bytes]) -> None:
        """Refuse a request whose Host or Origin is not allowed.

        A page of somebody else whose name was made to point here sends a Host that is not ours. A proxy may have
        changed the scheme of the Origin, so only the rest is compared.
        """
        host, origin = headers.get(b"host"), headers.get(b"origin")
        if not host:
            raise ProblemError(400, "the request has no Host header")
        if self.hosts and _name(host) not in self.hosts:
            raise ProblemError(
                421, "this Host is not allowed: use an address of this server, or start it with --allow-host"
            )
        if origin is not None and origin.lower().partition(b"://")[2] != host.lower():
            raise ProblemError(403, "pages of another origin may not use this server")

    def check_right(self, needed: Right, authorization: bytes | None) -> Right:
        """The right of the sender; a problem if the route needs more."""
        right = self.tokens.right_of(authorization)
        if needed == "open" or right in ("learn", needed):
            return right
        if right == "open":
            raise ProblemError(401, "send a token: `Authorization: Bearer TOKEN`", {"www-authenticate": "Bearer"})
        raise ProblemError(403, "this token may predict, but this route needs a learn token")


def _name(host: bytes) -> str:
    """A Host without its port.

    Examples
    --------
    >>> _name(b"LOCALHOST:8000"), _name(b"[::1]:80"), _name(b"[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    text = host.decode("latin-1").lower()
    return text if text.endswith("]") else text.rpartition(":")[0] or text


_JSON = b"application/json"
_CHARSETS = (b"", b"charset=utf-8", b'charset="utf-8"')
_CLOSE = {"connection": "close"}


def check_headers(headers: Sequence[tuple[bytes, bytes]], target: int, limits: Limits) -> None:
    """A problem if the request line and the headers are too long."""
    if target + sum(len(name) + len(value) for name, value in headers) > limits.headers:
        raise ProblemError(431, f"the headers are too long: at most {limits.headers:,} bytes are allowed", _CLOSE)


MAIL = "message/rfc822"
"""The type of a body that is a message as it is."""


def check_kind(content_type: bytes | None, encoding: bytes | None, *, mail: bool = False) -> bool:
    """Whether a body is a message, where ``mail`` allows it; a problem if it is not JSON either.

    A page of another origin cannot send either of them without being asked first.

    Examples
    --------
    >>> check_kind(b"application/json; charset=utf-8", None), check_kind(b"message/rfc822", None, mail=True)
    (False, True)
    """
    kind, _, parameters = (content_type or b"").lower().partition(b";")
    is_mail = mail and kind.strip() == MAIL.encode()
    if not is_mail and (kind.strip() != _JSON or parameters.strip() not in _CHARSETS):
        raise ProblemError(415, "send application/json in UTF-8")
    if encoding is not None and encoding.strip().lower() != b"identity":
        raise ProblemError(415, "this Content-Encoding is not supported: send the body as it is")
    return is_mail


def check_length(length: bytes | None, limits: Limits) -> None:
    """A problem if a body says that it is too large."""
    if length is not None and length.isdigit() and (len(length) > 18 or int(length) > limits.body):
        raise _too_large(limits)


async def read_body(receive: Receive, limits: Limits) -> bytes:
    """The whole body."""
    parts, size, has_more = [], 0, True
    try:
        async with asyncio.timeout(limits.body_time):
            while has_more:
                message = await receive()
                if message["type"] != "http.request":
                    raise ProblemError(400, "the client has closed the connection")
                part = message.get("body", b"")
                size += len(part)
                if size > limits.body:
                    raise _too_large(limits)
                parts.append(part)
                has_more = message.get("more_body", False)
    except TimeoutError:
        raise ProblemError(408, f"the body took more than {limits.body_time:g} seconds", _CLOSE) from None
    return b"".join(parts)


def _too_large(limits: Limits) -> ProblemError:
    return ProblemError(413, f"the body is too large: at most {limits.body:,} bytes are allowed", _CLOSE)
