"""Open an encoder or a re-ranker by its name in the settings.

Where the default has no weights for this platform the fallback takes its place, and says so
in its `note`, which `stats` shows.
"""

from __future__ import annotations

from enum import StrEnum

from graphsvc.encoding.base import Encoder, Reranker
from graphsvc.encoding.bge import RERANKER_MODEL, BgeEncoder, BgeReranker
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.bundled.network import Variant
from graphsvc.encoding.bundled.weights import has_weights
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.encoding.http_reranker import HttpReranker
from graphsvc.encoding.openai import OpenAIEncoder
from graphsvc.encoding.usem3 import Usem3Encoder
from graphsvc.errors import EncoderUnavailable
from graphsvc.settings import Settings


class EncoderName(StrEnum):
    """The names the settings know."""

    BUNDLED = "bundled"
    EXACT = "exact"
    HASHING = "hashing"
    OPENAI = "openai"
    BGE = "bge"
    USEM3 = "usem3"


def open_encoder(
    name: str,
    *,
    openai_url: str = "",
    openai_model: str = "",
    openai_key: str = "",
    query_prefix: str = "",
    passage_prefix: str = "",
    bge_model: str = "BAAI/bge-m3",
) -> Encoder:
    """The encoder of that name; options of other encoders are ignored.

    Raises `EncoderUnavailable` for an unknown name, or when its weights or server are out of reach.
    """
    try:
        choice = EncoderName(name)
    except ValueError:
        known = ", ".join(EncoderName)
        raise EncoderUnavailable(f"there is no encoder named {name!r}", remedy=f"known: {known}") from None
    match choice:
        case EncoderName.BUNDLED | EncoderName.EXACT:
            return _open_bundled(Variant.EXACT if choice is EncoderName.EXACT else Variant.INT8)
        case EncoderName.HASHING:
            return HashingEncoder()
        case EncoderName.OPENAI:
            return OpenAIEncoder(
                openai_url, openai_model, openai_key, query_prefix=query_prefix, passage_prefix=passage_prefix
            )
        case EncoderName.BGE:
            return BgeEncoder(bge_model)
        case EncoderName.USEM3:
            return Usem3Encoder()


def open_reranker(settings: Settings) -> Reranker | None:
    """The re-ranker the settings name, or none.

    Raises `EncoderUnavailable` when its weights are out of reach, `SettingsInvalid` for an address that is none.
    """
    match settings.reranker:
        case "none":
            return None
        case "bge":
            return BgeReranker(settings.rerank_model or RERANKER_MODEL)
        case "http":
            key = settings.rerank_key.get_secret_value()
            return HttpReranker(settings.rerank_url, settings.rerank_model, key, timeout_s=settings.rerank_timeout_s)


def _open_bundled(variant: Variant) -> Encoder:
    if has_weights():
        return BundledEncoder(variant)
    fallback = Usem3Encoder()
    fallback.note = "the default encoder has no package for this platform; usem3 takes its place, without re-ranking"
    return fallback
