"""Amounts in Chinese, English and both."""

from __future__ import annotations

import time

import pytest

from graphsvc.language.amounts import find_amounts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三万五", 35000), ("一百二", 120), ("十二万零六百", 120600), ("二十万零三千", 203000), ("13万2", 132000),
        ("80万", 800000), ("８０万", 800000), ("八十万", 800000), ("800,000", 800000), ("0.8 million", 800000),
        ("3亿两千万", 320000000), ("一万零五十", 10050), ("2万零5百", 20500), ("三点五万", 35000), ("捌佰", 800),
        ("twenty-five thousand", 25000), ("half a million", 500000), ("a dozen", 12), ("75k", 75000),
        ("两千三", 2300), ("三分之一", 0.333333),
    ],
)  # fmt: skip
def test_one_value_however_it_is_written(text: str, value: float) -> None:
    """Report A10: colloquial tails, 万零X, mixed digits, full width."""
    assert [amount.value for amount in find_amounts(text)] == [value]


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("报价3-5万元", 30000, 50000, "CNY"),
        ("三到五天", 3, 5, "day"),
        ("来了两三个人", 2, 3, "个"),
        ("十几台", 11, 19, "台"),
        ("三十多个", 30, 40, "个"),
        ("100多万", 1000000, 2000000, None),
        ("数百万", 2000000, 9000000, None),
        ("80万至95万", 800000, 950000, None),
        ("$3-5 million", 3000000, 5000000, "USD"),
        ("between 3 and 5 million dollars", 3000000, 5000000, "USD"),
    ],
)
def test_ranges_have_two_ends_and_one_scale(text: str, low: float, high: float, unit: str | None) -> None:
    assert [(a.value, a.high, a.unit) for a in find_amounts(text)] == [(low, high, unit)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("¥1,200.50", 1200.5, "CNY"), ("RMB 5,000", 5000, "CNY"), ("5千块钱", 5000, "CNY"), ("三块五", 3.5, "CNY"),
        ("5元3角", 5.3, "CNY"), ("十块零五", 10.05, "CNY"), ("US$80", 80, "USD"), ("€2.5bn", 2.5e9, "EUR"),
        ("30%", 30, "%"), ("百分之三十五", 35, "%"), ("三成", 30, "%"), ("千分之三", 3, "‰"), ("八折", 8, "折"),
        ("95折", 9.5, "折"),
        ("2个百分点", 2, "pp"), ("５㎏", 5, "kg"), ("两年半", 2.5, "year"), ("三个半小时", 3.5, "hour"),
        ("半小时", 0.5, "hour"), ("零下五度", -5, "°C"), ("-3℃", -3, "°C"), ("12 pallets", 12, "pallet"),
        ("two weeks", 2, "week"), ("90分", 90, "分"), ("客单价80w", 800000, None),
    ],
)  # fmt: skip
def test_units_and_currencies_have_one_name(text: str, value: float, unit: str | None) -> None:
    assert [(a.value, a.unit) for a in find_amounts(text)] == [(value, unit)]


@pytest.mark.parametrize(
    "text",
    [
        "2024年3月5日下午3点15分", "第三章", "一些", "一个人", "十分重要", "千万别忘", "万一下雨", "五花八门", "三亚",
        "二手车",
        "HT2023-0876", "13900123456", "10.0.3.7", "room 302", "May 5, 2024", "Q3", "2024-05-20", "14:30", "3pm",
        "5G网络", "4K显示器", "下周三周五", "24年", "一起去", "v1.2.3", "two weeks ago", "三天前", "No. 17",
    ],
)  # fmt: skip
def test_dates_codes_ordinals_and_idioms_are_no_amounts(text: str) -> None:
    assert find_amounts(text) == []


def test_spans_point_at_the_text_as_written() -> None:
    text = "总价８０万元，定金３０％。"
    assert [text[a.start : a.end] for a in find_amounts(text)] == ["８０万元", "３０％"]


def test_full_width_commas_part_a_list() -> None:
    assert [a.value for a in find_amounts("分别是100，200万")] == [100, 2000000]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I paid Bob 500", 500), ("给Tom 500", 500), ("I ran 400m", 400), ("+8%", 8), ("$-5", -5), ("上百人", 100),
        ("1½ hours", 1.5), ("二十来万", 200000), ("每周3次", 3),
    ],
)  # fmt: skip
def test_what_stands_around_a_number_decides_what_it_is(text: str, value: float) -> None:
    assert [amount.value for amount in find_amounts(text)] == [value]


@pytest.mark.parametrize(
    "text", ["上百度搜一下", "成千上万", "三五成群", "五角大楼", "双11那天", "WiFi 6", "in her 20s"]
)
def test_idioms_names_and_decades_are_no_amounts(text: str) -> None:
    assert find_amounts(text) == []


@pytest.mark.parametrize("unit", ["1", "一", "万", "1-", "1,", "周三", "¥", "half a ", "1/", "三万五，", "0x", "分之"])
def test_the_cost_of_a_text_follows_its_length(unit: str) -> None:
    few, many = (_seconds(unit * (size // len(unit))) for size in (30_000, 120_000))
    assert many < 10 * max(few, 0.01)


def _seconds(text: str) -> float:
    began = time.process_time()
    find_amounts(text)
    return time.process_time() - began


@pytest.mark.parametrize(
    "text",
    [
        "李四个子很高",
        "王五块头大",
        "郑九个人能力强",
        "李四只喝茶",
        "赵四把门关了",
        "你俩别吵",
        "哥俩好",
        "two grand pianos",
    ],
)
def test_the_numeral_of_a_name_or_of_a_set_phrase_counts_nothing(text: str) -> None:
    assert find_amounts(text) == []


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("他欠我五块石头", 5, "块"), ("五块大石头", 5, "块"), ("三块蛋糕", 3, "块"), ("他欠我五块钱", 5, "CNY"),
        ("给我五块", 5, "CNY"), ("五块车费", 5, "CNY"), ("张三把车卖给了李四，八万块", 80000, "CNY"),
        ("一米七八", 1.78, "m"), ("一米八的床", 1.8, "m"), ("1米75", 1.75, "m"), ("两公斤三", 2.3, "kg"),
        ("三斤二两", 3.2, "斤"), ("三斤一起买", 3, "斤"), ("两公斤三文鱼", 2, "kg"),
        ("a couple of thousand dollars", 2000, "USD"), ("a dollar fifty", 1.5, "USD"),
        ("It costs two pounds twenty.", 2.2, "GBP"), ("two and a half grand", 2500, None), ("50 grand", 50000, None),
        ("5'11\"", 1.8034, "m"), ("He is 6 ft 2.", 1.8796, "m"), ("20w的预算", 200000, None), ("950/month", 950, None),
        ("$20/hr", 20, "USD"), ("1,5 Mio EUR", 1500000, "EUR"), ("2,3 Mrd. Euro", 2.3e9, "EUR"), ("20 €", 20, "EUR"),
        ("仨月", 3, "month"), ("来了俩人", 2, "人"), ("俩孩子", 2, "个"), ("他今年八十了", 80, "岁"),
        ("She turned forty last week.", 40, "岁"), ("今年三十万了", 300000, None),
    ],
)  # fmt: skip
def test_amounts_are_read_as_they_are_said(text: str, value: float, unit: str | None) -> None:
    assert [(a.value, a.high, a.unit) for a in find_amounts(text)] == [(value, None, unit)]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("5-8千", 5000, 8000), ("二到三百人", 200, 300), ("9到1千", 9, 1000), ("several hundred people", 200, 900)],
)
def test_a_scale_written_once_holds_for_both_ends_where_it_keeps_their_order(
    text: str, low: float, high: float
) -> None:
    assert [(a.value, a.high) for a in find_amounts(text)] == [(low, high)]


@pytest.mark.parametrize("text", ["10 Downing Street", "I bought an iPhone 15 Pro"])
def test_the_number_of_a_house_or_a_model_is_no_amount(text: str) -> None:
    assert find_amounts(text) == []
