"""`GET /pool`: texts on the server that wait for labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from likely.server.http.messages import PoolAnswer
from likely.server.keeper.correction import digest_of
from likely.server.pool import MOST_TEXTS

if TYPE_CHECKING:
    from likely.server.http.service import Call, Service

MOST_CHARACTERS = 2_000_000
"""An answer has at most this many characters, unless its first text has more."""


class PoolQuery(Struct):
    """Which texts are wanted."""

    start: Annotated[int, Meta(ge=0, le=MOST_TEXTS, description="The place of the first text.")] = 0
    limit: Annotated[int, Meta(ge=1, le=1_000, description="At most this many texts.")] = 1_000


async def pool(service: Service, call: Call, query: PoolQuery) -> PoolAnswer:
    """Texts that wait for labels; those that are learned already are left out."""
    del call
    return await service.aside(_answer, service, query)


def _answer(service: Service, query: PoolQuery) -> PoolAnswer:
    found = service.pool.texts(service.keeper)
    texts: list[str] = []
    at, characters = query.start, 0
    while at < len(found.texts) and len(texts) < query.limit and characters < MOST_CHARACTERS:
        some = found.texts[at : at + query.limit]
        learned = service.keeper.are_learned([digest_of(text) for text in some])
        for text, is_learned in zip(some, learned, strict=True):
            if len(texts) == query.limit or characters >= MOST_CHARACTERS:
                break
            at += 1
            if not is_learned:
                texts.append(text)
                characters += len(text)
    following = at if at < len(found.texts) else None
    return PoolAnswer(service.pool.name, len(found.texts), found.is_cut, texts, following)
