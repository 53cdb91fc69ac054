"""Who may ask for what: tokens, compared in constant time, and the Host and Origin of a request."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from likely.errors import OptionError
from likely.server.http.problems import ProblemError
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.server.http.asgi import Headers
    from likely.types import Path

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


def check_once(given: Headers, headers: Mapping[bytes, bytes]) -> None:
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
        """Refuse a request whose Host or Origin is not allowed."""
        host = headers.get(b"host")
        self.check_host(host)
        self.check_origin(headers.get(b"origin"), host)

    def check_host(self, host: bytes | None) -> None:
        """Refuse a Host that is not ours: a page of somebody else whose name was made to point here sends it."""
        if not host:
            raise ProblemError(400, "the request has no Host header")
        if self.hosts and _name(host) not in self.hosts:
            raise ProblemError(
                421, "this Host is not served here: ask for an address of this server, or start it with --allow-host"
            )

    def check_origin(self, origin: bytes | None, host: bytes | None) -> None:
        """Refuse the pages of other origins. A proxy may have changed the scheme, so only the rest is compared."""
        if origin is not None and (host is None or origin.lower().partition(b"://")[2] != host.lower()):
            raise ProblemError(403, "pages of another origin may not use this server")

    def check_right(self, needed: Right, authorization: bytes | None) -> Right:
        """The right of the sender; a problem if the route needs more."""
        right = self.tokens.right_of(authorization)
        if needed == "open" or right in ("learn", needed):
            return right
        if right == "open":
            raise ProblemError(
                401, "send a token: `Authorization: Bearer TOKEN`", ((b"www-authenticate", b"Bearer"),)
            )
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
