"""The library is data: it loads quickly, grows by files, and a broken file says where it is broken."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from graphsvc.language.keywords import read
from graphsvc.language.normalise import fold
from ontology.errors import OntologyInvalid
from ontology.loader import load_ontology
from ontology.model import ValueKind

ONTOLOGY = load_ontology()
REQUIRED_QUERY_TYPES = {
    "clause_text", "responsible_party", "time_point", "amount", "identifier", "comparison", "latest_value", "howto",
    "preference", "event", "general", "yes_no", "reason", "location",
}  # fmt: skip

CHESS = """
[domain.chess]
name = { zh = "国际象棋", en = "Chess" }
description = "Openings, games, ratings."
keywords.zh = ["开局", "王车易位"]
keywords.en = ["opening", "castling"]
examples.zh = ["他又用西西里开局。"]
examples.en = ["She castled on the queen's side."]
"""


def layer(folder: Path, text: str, name: str = "mine.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def refusal(folder: Path, text: str) -> OntologyInvalid:
    file = layer(folder, text)
    with pytest.raises(OntologyInvalid) as caught:
        load_ontology([file])
    assert caught.value.file == str(file)
    return caught.value


def test_the_shipped_library_has_its_closed_sets() -> None:
    assert len(ONTOLOGY.domains) == 15
    assert {kind.id for kind in ONTOLOGY.query_types} >= REQUIRED_QUERY_TYPES
    assert len(ONTOLOGY.sense_words) >= 40
    assert [domain.id for domain in ONTOLOGY.domains if domain.background] == ["general"]
    assert [intent.id for intent in ONTOLOGY.intents if intent.background] == ["inform"]


def test_it_loads_in_a_fraction_of_a_second() -> None:
    def seconds() -> float:
        started = time.perf_counter()
        load_ontology()
        return time.perf_counter() - started

    assert min(seconds() for _ in range(5)) < 0.15


def test_every_class_has_examples_in_both_languages() -> None:
    classes = {entry.id: entry.examples for entry in ONTOLOGY.domains}
    classes |= {entry.id: entry.examples for entry in ONTOLOGY.intents}
    assert min(len(examples.zh) for examples in classes.values()) >= 10
    assert min(len(examples.en) for examples in classes.values()) >= 10


def test_no_example_sentence_is_used_twice() -> None:
    sentences = [text for domain in ONTOLOGY.domains for text in domain.examples.all]
    sentences += [text for intent in ONTOLOGY.intents for text in intent.examples.all]
    sentences += [text for word in ONTOLOGY.sense_words for sense in word.senses for text in sense.examples.all]
    assert len(sentences) == len(set(sentences))


def test_every_sense_example_holds_its_word() -> None:
    for word in ONTOLOGY.sense_words:
        surfaces = [fold(surface).text for surface in word.surfaces.all]
        for sense in word.senses:
            for sentence in sense.examples.all:
                assert any(surface in read(sentence).text for surface in surfaces), sentence


def test_every_shipped_pattern_compiles() -> None:
    patterns = [pattern for intent in ONTOLOGY.intents for pattern in intent.patterns.all]
    patterns += [pattern for kind in ONTOLOGY.query_types for pattern in kind.patterns.all]
    assert len([re.compile(pattern) for pattern in patterns]) > 200


def test_every_example_question_is_recognised_as_its_type() -> None:
    for kind in ONTOLOGY.query_types:
        for question in kind.examples.all:
            found = ONTOLOGY.query_types_of(question)
            assert (found[0].id if found else "general") == kind.id, question


def test_width_and_case_of_a_question_do_not_matter() -> None:
    kind = ONTOLOGY.query_type("time_point")
    assert kind is not None
    assert kind.value is ValueKind.TIME
    assert kind.matches("ＷＨＥＮ is the exam?")


def test_lookups_give_entries_or_nothing() -> None:
    sense = ONTOLOGY.sense("bank.river")
    assert sense is not None
    assert sense.domain == "nature_outdoors"
    assert ONTOLOGY.domain("bank.river") is None
    assert ONTOLOGY.entity_type("person") is not None
    assert ONTOLOGY.sense_word("bank") is not None


def test_equal_files_give_an_equal_hash_and_one_more_word_another(tmp_path: Path) -> None:
    assert load_ontology().content_hash == ONTOLOGY.content_hash
    assert load_ontology([layer(tmp_path, CHESS)]).content_hash != ONTOLOGY.content_hash


def test_a_folder_of_files_adds_new_entries(tmp_path: Path) -> None:
    layer(tmp_path, CHESS, "a.toml")
    layer(tmp_path, '[ontology]\nversion = "club-3"\n', "b.toml")
    (tmp_path / "notes.txt").write_text("not read", encoding="utf-8")
    extended = load_ontology([tmp_path])
    chess = extended.domain("chess")
    assert chess is not None
    assert chess.keywords.en == ("opening", "castling")
    assert extended.version == f"{ONTOLOGY.version}+club-3"
    assert len(extended.domains) == len(ONTOLOGY.domains) + 1


def test_a_known_id_replaces_single_values_and_lengthens_lists(tmp_path: Path) -> None:
    file = layer(tmp_path, '[domain.food]\ndescription = "What we eat."\nkeywords.en = ["scone", "coffee"]\n')
    before, after = ONTOLOGY.domain("food"), load_ontology([file]).domain("food")
    assert before is not None
    assert after is not None
    assert after.description == "What we eat."
    assert after.name == before.name
    assert after.keywords.en == (*before.keywords.en, "scone")


def test_replace_puts_the_new_entry_in_place_of_the_old(tmp_path: Path) -> None:
    file = layer(tmp_path, CHESS.replace("domain.chess", "domain.food") + "replace = true\n")
    replaced = load_ontology([file])
    food = replaced.domain("food")
    assert food is not None
    assert food.name.en == "Chess"
    assert [domain.id for domain in replaced.domains] == [domain.id for domain in ONTOLOGY.domains]


def test_later_layers_go_over_earlier_ones(tmp_path: Path) -> None:
    first = layer(tmp_path, CHESS, "a.toml")
    second = layer(tmp_path, '[domain.chess]\ndescription = "Only blitz."\n', "b.toml")
    chess = load_ontology([first, second]).domain("chess")
    assert chess is not None
    assert chess.description == "Only blitz."


def test_a_users_query_type_is_tried_before_ours(tmp_path: Path) -> None:
    text = """
    [query_type.rating]
    name = { zh = "等级分", en = "Rating" }
    value = "amount"
    patterns.en = ["\\\\brating\\\\b"]
    """
    extended = load_ontology([layer(tmp_path, text)])
    assert extended.query_types_of("What is her rating now?")[0].id == "rating"


def test_a_user_may_add_a_sense_to_a_known_word(tmp_path: Path) -> None:
    text = """
    [sense_word.bank.sense.cloud]
    gloss = { zh = "云堤", en = "a bank of cloud" }
    domain = "nature_outdoors"
    examples.en = ["A bank of fog came in from the sea."]
    """
    extended = load_ontology([layer(tmp_path, text)])
    assert extended.sense("bank.cloud") is not None
    assert extended.sense("bank.river") == ONTOLOGY.sense("bank.river")


def test_a_syntax_error_names_its_line(tmp_path: Path) -> None:
    error = refusal(tmp_path, '[domain.chess]\nname = "unfinished\n')
    assert error.line == 2
    assert "is not TOML" in error.reason


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    error = refusal(tmp_path, CHESS.replace('description = "Openings, games, ratings."\n', ""))
    assert (error.key, error.reason) == ("domain.chess.description", "is missing")
    assert "description" in error.remedy


def test_a_missing_language_is_named(tmp_path: Path) -> None:
    error = refusal(tmp_path, CHESS.replace('zh = "国际象棋", ', ""))
    assert (error.key, error.reason) == ("domain.chess.name.zh", "is missing")


def test_an_unknown_key_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    error = refusal(tmp_path, CHESS + 'colour = "black"\n')
    assert (error.key, error.reason) == ("domain.chess.colour", "is not known here")
    assert "keywords" in error.remedy


def test_an_unknown_key_of_a_sense_is_refused_where_it_stands(tmp_path: Path) -> None:
    error = refusal(tmp_path, "[sense_word.bank.sense.river]\nweight = 3\n")
    assert error.key == "sense_word.bank.sense.river.weight"
    assert "gloss" in error.remedy


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, CHESS + 'keywords.fr = ["roque"]\n')
    assert error.key == "domain.chess.keywords.fr"
    assert error.remedy == "known: zh, en"


def test_an_unknown_kind_of_table_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, "[domains.chess]\n")
    assert error.key == "domains"
    assert "domain" in error.remedy


def test_an_id_written_twice_in_one_file_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, CHESS + CHESS)
    assert (error.key, error.reason) == ("domain.chess", "is written twice")
    assert error.line == 10


def test_an_id_written_twice_in_one_folder_is_refused(tmp_path: Path) -> None:
    layer(tmp_path, CHESS, "a.toml")
    layer(tmp_path, CHESS, "b.toml")
    with pytest.raises(OntologyInvalid) as caught:
        load_ontology([tmp_path])
    assert (caught.value.file, caught.value.key) == (str(tmp_path / "b.toml"), "domain.chess")
    assert "a.toml" in caught.value.reason


def test_an_unknown_domain_of_a_sense_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, '[sense_word.bank.sense.river]\ndomain = "rivers"\n')
    assert error.key == "sense_word.bank.sense.river.domain"
    assert "'rivers' is no domain" in error.reason
    assert "finance" in error.remedy


def test_an_unknown_entity_type_of_a_domain_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, CHESS + 'entities = ["rook"]\n')
    assert (error.key, error.reason) == ("domain.chess.entities", "'rook' is no entity type")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("keywords.en = 5", "domain.chess.keywords.en"),
        ("keywords.en = [5]", "domain.chess.keywords.en"),
        ('keywords = ["castling"]', "domain.chess.keywords"),
        ('background = "perhaps"', "domain.chess.background"),
        ('replace = "yes"', "domain.chess.replace"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(tmp_path: Path, line: str, key: str) -> None:
    text = CHESS.replace('keywords.zh = ["开局", "王车易位"]\nkeywords.en = ["opening", "castling"]\n', "")
    assert refusal(tmp_path, text + line + "\n").key == key


def test_a_number_out_of_its_range_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, "[edge_type.mentions]\nweight = 1.5\n")
    assert error.key == "edge_type.mentions.weight"


def test_a_second_background_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, CHESS + "background = true\n")
    assert error.key == "domain.chess.background"


def test_a_broken_pattern_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, '[intent.thank]\npatterns.en = ["(unclosed"]\n')
    assert error.key == "intent.thank.patterns.en"
    assert "regular expression" in error.reason


def test_a_byte_order_mark_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, "\ufeff" + CHESS)
    assert "byte order mark" in error.reason


def test_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "gb.toml"
    file.write_bytes(CHESS.encode("gb18030"))
    with pytest.raises(OntologyInvalid) as caught:
        load_ontology([file])
    assert (caught.value.file, caught.value.line) == (str(file), 3)
    assert "UTF-8" in caught.value.reason


def test_a_place_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OntologyInvalid, match="does not exist"):
        load_ontology([tmp_path / "nowhere"])


def test_the_message_reads_file_line_key_reason_remedy(tmp_path: Path) -> None:
    error = refusal(tmp_path, CHESS + 'entities = ["rook"]\n')
    assert str(error).startswith(f"{error.file}: domain.chess.entities: 'rook' is no entity type (known: ")


def test_brackets_without_end_are_refused_and_break_nothing(tmp_path: Path) -> None:
    found = refusal(tmp_path, f"domain = {'[' * 100_000}")
    assert (found.reason, Path(found.file).name) == ("is nested too deeply", "mine.toml")
