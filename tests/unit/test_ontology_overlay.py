"""What is accepted is written into the user's own layer: whole, valid, and beside what stands there already."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.errors import OntologyInvalid
from ontology.loader import load_ontology
from ontology.overlay import PROPOSED, Addition, add_entries, render

BEES = Addition(
    ("domain", "beekeeping"),
    {
        "name": {"zh": "养蜂", "en": "Beekeeping"},
        "description": "Hives, queens, honey.",
        "keywords": {"zh": ["蜂箱"], "en": ["hive", "varroa"]},
        "examples": {"zh": ["三号蜂箱出了十斤蜜。"], "en": ["The queen is laying well."]},
    },
)
MORE_BEES = Addition(("domain", "beekeeping"), {"keywords": {"zh": [], "en": ["hive", "super"]}})
MINE = """# My own subjects.
[domain.chess] # since 2019
name = { zh = "国际象棋", en = "Chess" }
description = "Openings."
examples.en = ["She castled."]
"""


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_new_domain_stands_in_a_file_of_its_own_and_is_loaded(tmp_path: Path) -> None:
    mine = written(tmp_path, "mine.toml", MINE)
    file, library = add_entries(tmp_path, [BEES])
    assert file == tmp_path / PROPOSED
    assert mine.read_text(encoding="utf-8") == MINE
    found = load_ontology([tmp_path]).domain("beekeeping")
    assert found == library.domain("beekeeping")
    assert found is not None
    assert (found.name.zh, found.keywords.en) == ("养蜂", ("hive", "varroa"))


def test_each_acceptance_makes_another_version(tmp_path: Path) -> None:
    _, first = add_entries(tmp_path, [BEES])
    _, second = add_entries(tmp_path, [MORE_BEES])
    assert (first.version[-11:], second.version[-11:]) == ("+proposed-1", "+proposed-2")
    assert first.content_hash != second.content_hash


def test_more_of_an_accepted_domain_lengthens_its_lists_and_leaves_its_neighbours(tmp_path: Path) -> None:
    add_entries(tmp_path, [BEES])
    file, _ = add_entries(tmp_path, [Addition(("domain", "chess"), dict(tomllib.loads(MINE)["domain"]["chess"]))])
    with file.open("a", encoding="utf-8") as stream:
        stream.write("# checked by hand\n")
    _, library = add_entries(tmp_path, [MORE_BEES])
    bees = library.domain("beekeeping")
    assert bees is not None
    assert bees.keywords.en == ("hive", "varroa", "super")
    assert bees.examples.zh == ("三号蜂箱出了十斤蜜。",)
    assert library.domain("chess") is not None
    assert "# checked by hand" in file.read_text(encoding="utf-8")


def test_a_shipped_domain_is_lengthened_from_the_overlay(tmp_path: Path) -> None:
    _, library = add_entries(tmp_path, [Addition(("domain", "finance"), {"keywords": {"en": ["stablecoin"]}})])
    finance = library.domain("finance")
    assert finance is not None
    assert finance.keywords.en[-1] == "stablecoin"
    assert len(finance.keywords.en) > 10


def test_an_entry_the_user_wrote_by_hand_is_left_to_the_user(tmp_path: Path) -> None:
    mine = written(tmp_path, "mine.toml", MINE)
    with pytest.raises(OntologyInvalid) as caught:
        add_entries(tmp_path, [Addition(("domain", "chess"), {"keywords": {"en": ["rook"]}})])
    assert (caught.value.file, caught.value.key) == (str(mine), "domain.chess")
    assert mine.read_text(encoding="utf-8") == MINE
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mine.toml"]


def test_an_overlay_of_one_file_is_continued_and_keeps_its_comments(tmp_path: Path) -> None:
    mine = written(tmp_path, "mine.toml", MINE)
    file, library = add_entries(mine, [BEES])
    assert file == mine
    assert mine.read_text(encoding="utf-8").startswith(MINE)
    assert {"chess", "beekeeping"} <= {domain.id for domain in library.domains}


CLOUD = Addition(
    ("sense_word", "bank", "sense", "cloud"),
    {
        "gloss": {"zh": "云堤", "en": "a bank of cloud"},
        "domain": "nature_outdoors",
        "examples": {"en": ["A bank of fog came in."]},
    },
)


def test_a_sense_is_added_to_a_known_word(tmp_path: Path) -> None:
    _, library = add_entries(tmp_path, [CLOUD])
    assert library.sense("bank.cloud") is not None
    assert library.sense("bank.river") is not None


def test_a_sense_goes_where_its_word_is_written(tmp_path: Path) -> None:
    words = written(tmp_path, "words.toml", '[sense_word.bank]\nsurfaces.en = ["embankment"]\n')
    file, library = add_entries(tmp_path, [CLOUD])
    assert file == words
    assert library.sense("bank.cloud") is not None


def test_what_would_break_the_library_is_not_written(tmp_path: Path) -> None:
    add_entries(tmp_path, [BEES])
    before = (tmp_path / PROPOSED).read_bytes()
    wrong = Addition(CLOUD.path, {**CLOUD.table, "domain": "clouds"})
    with pytest.raises(OntologyInvalid) as caught:
        add_entries(tmp_path, [wrong])
    assert (caught.value.file, caught.value.key) == (str(tmp_path / PROPOSED), "sense_word.bank.sense.cloud.domain")
    assert (tmp_path / PROPOSED).read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [PROPOSED]


def test_a_broken_layer_is_told_before_anything_is_added(tmp_path: Path) -> None:
    broken = written(tmp_path, "mine.toml", "[domain.chess\n")
    with pytest.raises(OntologyInvalid) as caught:
        add_entries(tmp_path, [BEES])
    assert caught.value.file == str(broken)
    assert not (tmp_path / PROPOSED).exists()


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(OntologyInvalid, match="does not exist"):
        add_entries(tmp_path / "nowhere", [BEES])


def test_an_id_of_other_letters_is_quoted(tmp_path: Path) -> None:
    _, library = add_entries(tmp_path, [Addition(("domain", "养蜂"), BEES.table)])
    assert library.domain("养蜂") is not None


def test_a_domain_may_have_no_examples(tmp_path: Path) -> None:
    _, library = add_entries(tmp_path, [Addition(BEES.path, {**BEES.table, "examples": {}})])
    bees = library.domain("beekeeping")
    assert bees is not None
    assert bees.examples.all == ()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(st.lists(TEXTS, min_size=1), TEXTS, TEXTS)
def test_any_text_is_read_back_as_it_was_written(several: list[str], one: str, key: str) -> None:
    table = {"description": one, "examples": {"en": several}, "name": {"zh": one, "en": one}}
    read = tomllib.loads(render(Addition(("domain", key), table)))
    assert read == {"domain": {key: table}}


def test_two_who_add_at_once_take_turns(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from ontology.overlay import Addition, add_entries\n"
        "for number in range(4):\n"
        "    table = {'name': {'zh': 'x', 'en': 'x'}, 'description': 'd', 'examples': {'en': ['One.']}}\n"
        "    add_entries(Path(sys.argv[1]), [Addition(('domain', f'{sys.argv[2]}_{number}'), table)])\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    running = [subprocess.Popen([*command, name]) for name in ("left", "right")]
    assert [one.wait(60) for one in running] == [0, 0]
    kept = tomllib.loads((tmp_path / PROPOSED).read_text(encoding="utf-8"))["domain"]
    assert set(kept) == {f"{name}_{number}" for name in ("left", "right") for number in range(4)}


def test_half_a_character_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    broken = Addition(BEES.path, {**BEES.table, "name": {"zh": "养蜂", "en": "Bees\udcff"}})
    with pytest.raises(OntologyInvalid) as caught:
        add_entries(tmp_path, [broken])
    assert caught.value.key == "domain.beekeeping"
    assert not list(tmp_path.iterdir())
