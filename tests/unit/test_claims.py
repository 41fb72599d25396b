"""Claims: each clause is denied or not, sure or not, felt one way or the other, and somebody's."""

from __future__ import annotations

import time

import pytest

from graphsvc.language.claims import agreement, asked_about, find_claims, memory_agreement, subject_of
from graphsvc.language.entities import find_mentions
from graphsvc.models.facts import Attitude, Certainty, Claim, HolderAgreement, HolderKind, Polarity

AFFIRMED, NEGATED, CEASED = Polarity.AFFIRMED, Polarity.NEGATED, Polarity.CEASED
CERTAIN, HEDGED, ASKED = Certainty.CERTAIN, Certainty.HEDGED, Certainty.ASKED
HYPOTHETICAL, PLANNED = Certainty.HYPOTHETICAL, Certainty.PLANNED
LIKE, DISLIKE, NONE = Attitude.LIKE, Attitude.DISLIKE, Attitude.NONE
SPEAKER, ADDRESSEE, OTHER, GENERAL = HolderKind.SPEAKER, HolderKind.ADDRESSEE, HolderKind.OTHER, HolderKind.GENERAL


def claims_of(text: str, speaker: str | None = None) -> list[Claim]:
    return find_claims(text, find_mentions(text), speaker)


def last(text: str) -> Claim:
    return claims_of(text)[-1]


POLARITY = [
    ("我不再喝美式了", CEASED),
    ("他戒烟三年了", CEASED),
    ("我已经不在那家公司上班了", CEASED),
    ("我们家没有狗了", CEASED),
    ("他再也没去过那家店", CEASED),
    ("我以前住在上海", CEASED),
    ("我停止服药了", CEASED),
    ("我去年去过日本", AFFIRMED),
    ("我没去过日本", NEGATED),
    ("合同还没签", NEGATED),
    ("尚未收到货款", NEGATED),
    ("这台设备无保修", NEGATED),
    ("我吃不了辣", NEGATED),
    ("我听不懂粤语", NEGATED),
    ("我不太能喝酒", NEGATED),
    ("我很少出门", NEGATED),
    ("他不是不想来", AFFIRMED),
    ("我不得不辞职", AFFIRMED),
    ("没有人不喜欢她", AFFIRMED),
    ("我非去不可", AFFIRMED),
    ("我差点没赶上飞机", AFFIRMED),
    ("我差点没摔倒", NEGATED),
    ("我差点错过末班车", NEGATED),
    ("他不但会游泳", AFFIRMED),
    ("不一会儿他就到了", AFFIRMED),
    ("我忍不住笑了", AFFIRMED),
    ("这家店真不错", AFFIRMED),
    ("他的水平和你差不多", AFFIRMED),
    ("我无数次梦到那座城市", AFFIRMED),
    ("他对别人很客气", AFFIRMED),
    ("我不抽烟不喝酒", NEGATED),
    ("老板不同意我的方案", NEGATED),
    ("这个不便宜", NEGATED),
    ("好久没见他了", NEGATED),
    ("我喜欢不加糖的咖啡", AFFIRMED),
    ("我並不反對這個計劃", NEGATED),
    ("I no longer drink coffee", CEASED),
    ("We don't live in Boston anymore.", CEASED),
    ("I used to play the violin.", CEASED),
    ("She quit smoking in May.", CEASED),
    ("He has given up meat.", CEASED),
    ("I am used to the noise.", AFFIRMED),
    ("I haven't signed the lease.", NEGATED),
    ("i dont own a car", NEGATED),
    ("There is no milk left.", NEGATED),
    ("Nobody told me.", NEGATED),
    ("He never eats breakfast.", NEGATED),
    ("I rarely travel by train.", NEGATED),
    ("I failed to finish the report.", NEGATED),
    ("I almost missed the flight.", NEGATED),
    ("I decided not to apply.", NEGATED),
    ("I don't think he smokes.", NEGATED),
    ("I don't smoke or drink.", NEGATED),
    ("It is not unlike the old one.", AFFIRMED),
    ("I was not unhappy with the result.", AFFIRMED),
    ("I couldn't agree more.", AFFIRMED),
    ("I can't wait to see you.", AFFIRMED),
    ("She can't help laughing.", AFFIRMED),
    ("He is not only a doctor but also a painter.", AFFIRMED),
    ("I left not because of the pay but because of the hours.", AFFIRMED),
    ("It's no problem.", AFFIRMED),
    ("Why not try the new place?", AFFIRMED),
    ("I like people who don't smoke.", AFFIRMED),
    ("I ordered tea, not coffee.", AFFIRMED),
]


@pytest.mark.parametrize(("text", "polarity"), POLARITY)
def test_a_clause_is_affirmed_denied_or_told_as_ended(text: str, polarity: Polarity) -> None:
    assert last(text).polarity is polarity


CERTAINTY = [
    ("他可能下周出差", HEDGED),
    ("我觉得这家店不行", HEDGED),
    ("好像下雨了", HEDGED),
    ("据说房租涨了", HEDGED),
    ("他应该在家", HEDGED),
    ("他不可能在家", CERTAIN),
    ("你喜欢咖啡吗？", ASKED),
    ("你是不是住在上海", ASKED),
    ("何琳不吃什么", ASKED),
    ("你喜欢这个礼物，对吧？", ASKED),
    ("我什么都吃", CERTAIN),
    ("如果下雨，我就不去了", HYPOTHETICAL),
    ("要是我有钱就好了", HYPOTHETICAL),
    ("希望他早点康复", HYPOTHETICAL),
    ("我打算明年买房", PLANNED),
    ("我想去冰岛", PLANNED),
    ("请把报告发给李总", PLANNED),
    ("我住在杭州", CERTAIN),
    ("Maybe he lives in Oslo.", HEDGED),
    ("I think Tom likes jazz.", HEDGED),
    ("She might be at home.", HEDGED),
    ("Apparently the shop has closed.", HEDGED),
    ("We met in May.", CERTAIN),
    ("Do you like tea?", ASKED),
    ("does the user eat meat", ASKED),
    ("You live in Rome, don't you?", ASKED),
    ("I don't know if Tom drinks wine.", ASKED),
    ("If it rains, we stay at home.", HYPOTHETICAL),
    ("I wish I had a dog.", HYPOTHETICAL),
    ("I would move to Spain.", HYPOTHETICAL),
    ("We are going to buy a house.", PLANNED),
    ("I'll call her tomorrow.", PLANNED),
    ("I want to learn Greek.", PLANNED),
    ("Please send me the file.", PLANNED),
    ("I have lived in Berlin since 2019.", CERTAIN),
]


@pytest.mark.parametrize(("text", "certainty"), CERTAINTY)
def test_a_clause_is_stated_hedged_asked_supposed_or_planned(text: str, certainty: Certainty) -> None:
    assert last(text).certainty is certainty


ATTITUDE = [
    ("我喜欢爵士乐", LIKE),
    ("我爱吃辣", LIKE),
    ("他对摄影很感兴趣", LIKE),
    ("我不喜欢香菜", DISLIKE),
    ("我讨厌香菜", DISLIKE),
    ("我受不了榴莲的味道", DISLIKE),
    ("我对花生过敏", DISLIKE),
    ("我对花生不过敏", NONE),
    ("我对足球没兴趣", DISLIKE),
    ("我不讨厌他", NONE),
    ("我不是不喜欢你", LIKE),
    ("我爱人在银行工作", NONE),
    ("这只猫很可爱", NONE),
    ("I hate cilantro", DISLIKE),
    ("My brother hates coriander.", DISLIKE),
    ("I can't stand cilantro.", DISLIKE),
    ("I don't like olives.", DISLIKE),
    ("She is allergic to peanuts.", DISLIKE),
    ("I'm sick of meetings.", DISLIKE),
    ("I was sick yesterday.", NONE),
    ("I don't hate it.", NONE),
    ("I'm not a fan of horror films.", DISLIKE),
    ("I love hiking.", LIKE),
    ("She's fond of opera.", LIKE),
    ("My favourite colour is green.", LIKE),
    ("It looks like rain.", NONE),
    ("I no longer like running.", NONE),
    ("I used to love sushi.", NONE),
]


@pytest.mark.parametrize(("text", "attitude"), ATTITUDE)
def test_what_is_felt_counts_negation_in(text: str, attitude: Attitude) -> None:
    assert last(text).attitude is attitude


HOLDERS = [
    ("我弟弟不吃香菜", OTHER, "我弟弟"),
    ("香菜我弟弟不吃", OTHER, "我弟弟"),
    ("何琳的弟弟不吃香菜", OTHER, "何琳的弟弟"),
    ("我弟弟不吃香菜，让我帮他点菜", OTHER, "我弟弟"),
    ("我老婆怀孕了，不能喝酒", OTHER, "我老婆"),
    ("妈妈不吃辣", OTHER, "妈妈"),
    ("我的手机坏了", SPEAKER, None),
    ("我们公司不加班", SPEAKER, None),
    ("不吃香菜", SPEAKER, None),
    ("用户喜欢喝茶", SPEAKER, None),
    ("你喜欢吃辣吗", ADDRESSEE, None),
    ("别给我放香菜", ADDRESSEE, None),
    ("大家都喜欢吃火锅", GENERAL, None),
    ("合同还没签", GENERAL, None),
    ("张伟说他弟弟不吃鱼", OTHER, "他弟弟"),
    ("我朋友王磊在华为上班", OTHER, "我朋友王磊"),
    ("My brother hates coriander.", OTHER, "My brother"),
    ("Helen's brother doesn't eat fish.", OTHER, "Helen's brother"),
    ("A friend of mine enjoys skiing.", OTHER, "A friend of mine"),
    ("My mother-in-law is allergic to nuts.", OTHER, "My mother-in-law"),
    ("I met Anna yesterday. She loves chess.", OTHER, "Anna"),
    ("My sister lives in Rome. She hates the heat.", OTHER, "My sister"),
    ("Mom is a vegetarian.", OTHER, "Mom"),
    ("My wife and I love hiking.", SPEAKER, None),
    ("My car broke down.", SPEAKER, None),
    ("The user prefers tea.", SPEAKER, None),
    ("Allergic to peanuts.", SPEAKER, None),
    ("Do you like tea?", ADDRESSEE, None),
    ("Everyone likes pizza.", GENERAL, None),
    ("The contract was not signed.", GENERAL, None),
]


@pytest.mark.parametrize(("text", "kind", "named"), HOLDERS)
def test_a_fact_is_filed_under_the_one_it_is_about(text: str, kind: HolderKind, named: str | None) -> None:
    holder = last(text).holder
    assert (holder.kind, holder.text) == (kind, named)


QUOTED = [
    ("她说：“我讨厌下雨。”", "她"),
    ("“我讨厌下雨，”李娜说", "李娜"),
    ("李娜说：我讨厌下雨", "李娜"),
    ('She told me, "I hate rain."', "She"),
    ('"I hate rain," said Anna.', "Anna"),
]


@pytest.mark.parametrize(("text", "named"), QUOTED)
def test_i_inside_a_quotation_is_whoever_is_quoted(text: str, named: str) -> None:
    claim = last(text)
    assert (claim.quoted, claim.attitude, claim.holder.kind, claim.holder.text) == (True, DISLIKE, OTHER, named)


@pytest.mark.parametrize("text", ["李医生说我血压高", "The doctor said that I have asthma.", "听说我被录取了"])
def test_reported_speech_is_quoted_and_its_i_is_still_the_speaker(text: str) -> None:
    claim = last(text)
    assert (claim.quoted, claim.holder.kind) == (True, SPEAKER)


def test_clauses_of_one_sentence_are_told_apart() -> None:
    text = "I like tea, but my husband can't stand it."
    assert [(text[c.start : c.end], c.attitude, c.holder.kind) for c in claims_of(text)] == [
        ("I like tea", LIKE, SPEAKER),
        ("my husband can't stand it", DISLIKE, OTHER),
    ]


def test_spans_count_characters_of_the_text_as_written() -> None:
    text = "①  我弟弟不吃香菜。\nＭy note：\n我\u200b不喝酒了。 I don't drink."
    clauses = [text[claim.start : claim.end] for claim in claims_of(text)]
    assert clauses[0].endswith("我弟弟不吃香菜")
    assert clauses[-2:] == ["我\u200b不喝酒了", "I don't drink"]


def test_a_name_at_the_head_of_a_line_says_who_speaks() -> None:
    text = "何琳：我不吃香菜\n张伟：我喜欢香菜"
    assert [claim.holder.key for claim in claims_of(text)] == ["何琳", "张伟"]


def test_a_label_at_the_head_of_a_line_is_nobody() -> None:
    assert last("备注：我不吃香菜").holder.key is None
    assert last("Note: I don't eat meat").holder.key is None


def test_the_speakers_own_name_is_the_speaker() -> None:
    assert claims_of("何琳不吃香菜", "何琳")[0].holder.kind is SPEAKER


def test_a_relative_keeps_the_relation_and_whose_relative_it_is() -> None:
    holder = claims_of("我弟弟不吃香菜", "何琳")[0].holder
    assert (holder.relation, holder.possessor, holder.possessor_key) == ("弟弟", SPEAKER, "何琳")
    holder = last("Helen's sister Lucy works here.").holder
    assert (holder.relation, holder.possessor_key, holder.key) == ("sister", "helen", "lucy")


def test_text_without_a_clause_makes_no_claim() -> None:
    assert [claims_of(text) for text in ("", "   ", "好的", "Hello!", "2024-05-01", "，，，", "???")] == [[]] * 7


SUBJECTS = [
    ("何琳不吃什么", OTHER, "何琳"),
    ("何琳的弟弟不吃什么", OTHER, "何琳的弟弟"),
    ("用户现在喝美式吗", SPEAKER, None),
    ("我弟弟不吃什么", OTHER, "我弟弟"),
    ("你知道我妈住在哪里吗", OTHER, "我妈"),
    ("何琳的电话", OTHER, "何琳"),
    ("谁不吃香菜", GENERAL, None),
    ("what does the user like to eat", SPEAKER, None),
    ("Does Helen's brother like jazz?", OTHER, "Helen's brother"),
    ("When is my sister's birthday?", OTHER, "my sister's"),
    ("Helen's phone number", OTHER, "Helen"),
    ("who likes jazz", GENERAL, None),
    ("What do I hate?", SPEAKER, None),
    ("do you know if Tom smokes weed", OTHER, "Tom"),
    ("", GENERAL, None),
]


@pytest.mark.parametrize(("text", "kind", "named"), SUBJECTS)
def test_a_question_asks_about_someone(text: str, kind: HolderKind, named: str | None) -> None:
    holder = subject_of(text, find_mentions(text))
    assert (holder.kind, holder.text) == (kind, named)


AGREEMENT = [
    ("何琳不吃什么", "我不吃香菜", ["何琳"], [], HolderAgreement.SAME),
    ("何琳不吃什么", "我妈不吃香菜", ["何琳"], [], HolderAgreement.DIFFERENT),
    ("何琳不吃什么", "张伟不吃香菜", ["王芳"], [], HolderAgreement.DIFFERENT),
    ("何琳不吃什么", "张伟的弟弟不吃香菜", [], [], HolderAgreement.UNKNOWN),
    ("何琳的弟弟不吃什么", "我哥哥不吃香菜", ["何琳"], [], HolderAgreement.DIFFERENT),
    ("何琳的哥哥不吃什么", "My brother doesn't eat fish.", ["何琳"], [], HolderAgreement.SAME),
    ("我不吃什么", "我不吃香菜", ["王芳"], ["何琳"], HolderAgreement.DIFFERENT),
    ("我弟弟不吃什么", "我弟弟不吃香菜", ["王芳"], ["何琳"], HolderAgreement.DIFFERENT),
    ("我弟弟不吃什么", "我弟弟不吃香菜", [], [], HolderAgreement.SAME),
    ("我不吃什么", "我弟弟不吃香菜", [], [], HolderAgreement.DIFFERENT),
    ("What does Tom hate?", "Tom Baker hates rain.", [], [], HolderAgreement.SAME),
    ("What does Helen hate?", "何琳讨厌下雨", [], [], HolderAgreement.UNKNOWN),
    ("谁不吃香菜", "我弟弟不吃香菜", [], [], HolderAgreement.UNKNOWN),
]


@pytest.mark.parametrize(("question", "memory", "speaker", "asker", "expected"), AGREEMENT)
def test_whose_fact_is_asked_and_whose_is_told_are_compared(
    question: str, memory: str, speaker: list[str], asker: list[str], expected: HolderAgreement
) -> None:
    asked = subject_of(question, find_mentions(question))
    assert agreement(asked, last(memory), speaker, asker_names=asker) is expected


def test_the_clause_that_answers_decides_whose_fact_a_memory_is() -> None:
    text = "我喜欢跑步。我弟弟不吃香菜。"
    claims = claims_of(text)
    asked = subject_of("何琳不吃什么", find_mentions("何琳不吃什么"))
    assert memory_agreement(asked, claims, text, ["不吃"], ["何琳"]) is HolderAgreement.DIFFERENT
    assert memory_agreement(asked, claims, text, ["喜欢"], ["何琳"]) is HolderAgreement.SAME
    assert memory_agreement(asked, [], text, ["喜欢"], ["何琳"]) is HolderAgreement.UNKNOWN


def test_the_end_of_a_habit_and_a_dislike_are_never_likings() -> None:
    """Report A04: "no longer" and "hate" stored as likings."""
    before, after, hated = (last(text) for text in ("我喜欢喝美式", "我不再喝美式了", "I hate cilantro"))
    assert (before.polarity, before.attitude) == (AFFIRMED, LIKE)
    assert (after.polarity, after.attitude) == (CEASED, NONE)
    assert hated.attitude is DISLIKE
    for question in ("用户现在喝美式吗", "what does the user like to eat"):
        assert agreement(subject_of(question), after) is HolderAgreement.SAME


def test_a_brothers_fact_is_not_the_speakers() -> None:
    """Report A05: a fact about a third party filed under the speaker."""
    text = "我弟弟不吃香菜，他让我帮他点菜"
    claims = find_claims(text, find_mentions(text), "何琳")
    assert [(c.holder.kind, c.holder.text) for c in claims] == [(OTHER, "我弟弟")] * 2
    found = {
        question: memory_agreement(subject_of(question, find_mentions(question)), claims, text, ["不吃"], ["何琳"])
        for question in ("何琳不吃什么", "何琳的弟弟不吃什么")
    }
    assert list(found.values()) == [HolderAgreement.DIFFERENT, HolderAgreement.SAME]


@pytest.mark.parametrize("unit", ["不", "“", ",", "not ", "我不，", "\"'", "他说："])
def test_a_long_hostile_line_is_read_in_bounded_time(unit: str) -> None:
    text = (unit * 1_000_000)[:1_000_000]
    begin = time.perf_counter()
    find_claims(text)
    assert time.perf_counter() - begin < 6.0


@pytest.mark.parametrize(
    "text",
    ["Ｈｅ ｓａｉｄ🇨🇳 ＂Ｉ ｄｏｎ＇ｔ ｌｉｋｅ\n ｃｏｆｆｅｅ＂  ｔｗｏ ｗｅｅｋｓ ａｇｏ ｆｏｒ ＄１，۳２００．５０"],
)
def test_white_space_that_the_parser_takes_for_a_word_states_nothing(text: str) -> None:
    claims = find_claims(text)
    assert all(text[claim.start : claim.end].strip() for claim in claims)


@pytest.mark.parametrize(
    ("question", "attitude"),
    [
        ("我爱吃什么", LIKE),
        ("what does the user like to eat", LIKE),
        ("What food does Omar hate?", DISLIKE),
        ("我喜欢喝美式吗", NONE),
        ("王芳喜欢什么时候聊", NONE),
        ("何琳不吃什么", NONE),
    ],
)
def test_a_question_asks_what_is_liked_or_whether(question: str, attitude: Attitude) -> None:
    assert asked_about(question, find_mentions(question))[1] is attitude


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("李明住哪", "李明哲住杭州", HolderAgreement.DIFFERENT),
        ("王伟明住哪", "伟明住杭州", HolderAgreement.UNKNOWN),
        ("阿里喜欢什么", "阿里·汗喜欢足球", HolderAgreement.SAME),
        ("韩松的女儿住哪", "韩松带女儿住在苏州", HolderAgreement.UNKNOWN),
        ("韩松的女儿住哪", "韩松住在苏州", HolderAgreement.DIFFERENT),
        ("林涛在哪任职", "星河公司聘了林涛", HolderAgreement.UNKNOWN),
        ("北京大学住多少人", "北大住三万人", HolderAgreement.UNKNOWN),
        ("When is Chidi Okafor's flight?", "Mr Okafor's flight is at 9", HolderAgreement.SAME),
    ],
)
def test_a_name_cut_short_and_a_relative_named_beside_stay_open(
    question: str, text: str, found: HolderAgreement
) -> None:
    claims = find_claims(text, find_mentions(text))
    holder = subject_of(question, find_mentions(question))
    assert memory_agreement(holder, claims, text, ["住", "喜欢"]) is found


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("我妈哪天生日", "妈"),
        ("我老婆哪天回来", "老婆"),
        ("我妈几点到", "妈"),
        ("我妈生日是哪天", "妈"),
        ("我妈妈手机号多少", "妈妈"),
        ("何琳弟弟生日哪天", "弟弟"),
        ("我哪天出差", None),
        ("我朋友圈有什么", None),
        ("我手机号多少", None),
    ],
)
def test_a_relatives_thing_or_day_is_asked_of_the_relative(question: str, relation: str | None) -> None:
    """Report A05: whose fact is asked for, with no 的 between the relative and the rest."""
    assert subject_of(question, find_mentions(question)).relation == relation


@pytest.mark.parametrize(
    ("text", "polarity", "quoted"),
    [
        ("He denied stealing the money.", NEGATED, True),
        ("She denies that she took it.", NEGATED, True),
        ("I deny having met him.", NEGATED, False),
        ("他否认偷了钱", NEGATED, True),
        ("张伟否认他去过上海", NEGATED, True),
    ],
)
def test_what_somebody_denies_is_denied_in_their_words(text: str, polarity: Polarity, quoted: bool) -> None:
    assert (last(text).polarity, last(text).quoted) == (polarity, quoted)


@pytest.mark.parametrize("text", ["It's not that I dislike cats.", "It is not that I hate him.", "不是说我讨厌猫"])
def test_a_feeling_that_is_set_aside_is_not_felt(text: str) -> None:
    assert (last(text).polarity, last(text).attitude) == (NEGATED, NONE)


@pytest.mark.parametrize(
    "text",
    ["Had I known, I would have come.", "Were I rich, I would buy it.", "Should you need help, call me."],
)
def test_a_condition_may_be_told_by_the_order_of_its_words(text: str) -> None:
    assert [claim.certainty for claim in claims_of(text)] == [HYPOTHETICAL, HYPOTHETICAL]


def test_a_question_with_the_same_order_is_still_asked() -> None:
    assert last("Had you met him before?").certainty is ASKED
    assert last("Should we go?").certainty is ASKED


@pytest.mark.parametrize("text", ["没人同意这个方案", "没有人来", "如果明天下雨", "昨晚下大雪了"])
def test_what_nobody_does_and_the_weather_are_nobodys_in_particular(text: str) -> None:
    assert last(text).holder.kind is GENERAL


@pytest.mark.parametrize(
    "text",
    [
        "别忘了带伞",
        "你千万不要忘记吃药",
        "Don't forget the umbrella.",
        "Never forget your keys.",
        "Don't forget to call.",
    ],
)
def test_a_bid_not_to_forget_asks_for_the_thing(text: str) -> None:
    claim = last(text)
    assert (claim.polarity, claim.certainty, claim.holder.kind) == (AFFIRMED, PLANNED, ADDRESSEE)


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("会议取消了", CEASED), ("航班被取消了", CEASED), ("The flight was cancelled.", CEASED),
        ("They called off the wedding.", CEASED), ("会议没取消", NEGATED), ("They did not cancel the flight.", NEGATED),
    ],
)  # fmt: skip
def test_what_is_cancelled_is_over(text: str, polarity: Polarity) -> None:
    assert last(text).polarity is polarity


@pytest.mark.parametrize(
    "text", ["He stopped loving her.", "I don't like tea anymore.", "我不再喜欢咖啡了", "我不再喝美式了"]
)
def test_an_ended_feeling_is_none(text: str) -> None:
    """Report A04: an end says nothing of what came after it."""
    assert (last(text).polarity, last(text).attitude) == (CEASED, NONE)


@pytest.mark.parametrize(
    ("text", "asks", "bidden"),
    [
        ("妈妈让我别买车", OTHER, SPEAKER), ("老板叫我不要迟到", OTHER, SPEAKER), ("医生让他别喝酒", OTHER, OTHER),
        ("My mother told me not to buy a car.", OTHER, SPEAKER), ("My doctor told him not to drink.", OTHER, OTHER),
    ],
)  # fmt: skip
def test_a_bid_is_one_persons_and_what_is_bidden_anothers(text: str, asks: HolderKind, bidden: HolderKind) -> None:
    first, second = claims_of(text)
    assert (first.holder.kind, first.polarity) == (asks, AFFIRMED)
    assert (second.holder.kind, second.polarity, second.certainty) == (bidden, NEGATED, PLANNED)
    assert first.holder != second.holder


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("我只喝茶不喝咖啡", [("我只喝茶", AFFIRMED), ("不喝咖啡", NEGATED)]),
        ("我不喝咖啡只喝茶", [("我不喝咖啡", NEGATED), ("只喝茶", AFFIRMED)]),
        ("他是老师不是学生", [("他是老师", AFFIRMED), ("不是学生", NEGATED)]),
        (
            "I didn't buy the blue one but the red one.",
            [("I didn't buy the blue one", NEGATED), ("the red one", AFFIRMED)],
        ),
        ("We didn't go to Rome but to Paris.", [("We didn't go to Rome", NEGATED), ("to Paris", AFFIRMED)]),
    ],
)
def test_one_thing_set_against_another_makes_two_claims_of_one_holder(
    text: str, parts: list[tuple[str, Polarity]]
) -> None:
    claims = claims_of(text)
    assert [(text[claim.start : claim.end], claim.polarity) for claim in claims] == parts
    assert claims[0].holder == claims[1].holder


@pytest.mark.parametrize(
    ("relation", "name"), [("brother-in-law", "Steve"), ("mother-in-law", "Anna"), ("ex-wife", "Carol")]
)
def test_a_relation_of_several_words_keeps_the_name_beside_it(relation: str, name: str) -> None:
    holder = last(f"My {relation} {name} likes fishing.").holder
    assert (holder.relation, holder.possessor, holder.key) == (relation, SPEAKER, name.lower())


def test_a_verb_set_against_a_denied_one_is_affirmed() -> None:
    assert [claim.polarity for claim in claims_of("I don't smoke but drink.")] == [NEGATED, AFFIRMED]
    assert [claim.polarity for claim in claims_of("I don't smoke or drink.")] == [NEGATED, NEGATED]
