"""Step 6: vectors, in batches, off the event loop, with no connection out. A provider that is down costs the vector, not the memory."""

from __future__ import annotations

import structlog

from memdb.errors import DimensionMismatch, ProviderError
from memdb.formation.batch import Batch
from memdb.formation.stages import Embedded, Scoped, grow
from memdb.providers.embedding.base import Embedder

log = structlog.get_logger()


async def embed(batch: Batch[Scoped], *, embedder: Embedder) -> Batch[Embedded]:
    """Embed the content of every item whose text is new; an edit that keeps its text keeps its vector.

    Raises:
        DimensionMismatch: the provider answers in another space than this database's; a setting is wrong, so nothing is written.
    """
    new = [item for item in batch.values if not keeps_text(item)]
    around = [item for item in new if item.context_text is not None]
    try:
        texts = [document_text(item.content.text) for item in new] + [item.context_text or "" for item in around]
        vectors = await embedder.embed_documents(texts) if texts else []
    except DimensionMismatch:
        raise
    except ProviderError as error:
        log.warning("embedding_deferred", code=error.code, count=len(new))
        vectors = []
    own = {id(item): found for item, found in zip(new, vectors, strict=False)}
    context = {id(item): found.vector for item, found in zip(around, vectors[len(new) :], strict=False)}

    def attach(item: Scoped) -> Embedded:
        found = own.get(id(item))
        kept_cut = item.replaces.text_cut if item.replaces is not None and keeps_text(item) else False
        return grow(
            Embedded,
            item,
            vector=found.vector if found else None,
            context_vector=context.get(id(item)),
            text_cut=found.truncated if found else kept_cut,
        )

    return batch.each(attach)


def keeps_text(item: Scoped) -> bool:
    """True when an edit leaves the words as they are."""
    return item.replaces is not None and item.replaces.content == item.content.text


def document_text(content: str) -> str:
    """What of a memory is embedded: its content. Part of the space's recipe; changing it means re-embedding."""
    return content
