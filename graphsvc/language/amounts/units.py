"""Units an amount may carry, from every common spelling to one symbol.

Currencies become ISO codes, measures SI-like symbols; Chinese measure words stay themselves.
"""

from __future__ import annotations

_SPELLINGS = {
    "CNY": "元 块 块钱 圆 人民币 元人民币 块人民币 rmb cny yuan 元整",
    "USD": "美元 美金 美刀 usd dollar dollars buck bucks",
    "EUR": "欧元 eur euro euros €",
    "GBP": "英镑 gbp quid",
    "HKD": "港币 港元 港幣 hkd",
    "JPY": "日元 日圆 jpy yen",
    "KRW": "韩元 krw won",
    "TWD": "台币 新台币 twd ntd",
    "SGD": "新币 新加坡元 sgd",
    "AUD": "澳元 aud",
    "CAD": "加元 cad",
    "RUB": "卢布 rub rubles",
    "INR": "卢比 inr rupees",
    "CHF": "瑞士法郎 chf",
    "%": "% 百分比 percent pct 个百分号",
    "‰": "‰",
    "pp": "个百分点 百分点 个点",
    "倍": "倍 x",
    "折": "折",
    "kg": "kg 公斤 千克 kilo kilos kilogram kilograms",
    "g": "g 克 gram grams",
    "mg": "mg 毫克",
    "t": "t 吨 ton tons tonne tonnes",
    "斤": "斤",
    "lb": "lb lbs",
    "pound": "pound pounds",
    "oz": "oz ounce ounces",
    "km": "km 公里 千米 kilometre kilometres kilometer kilometers",
    "m": "m 米 metre metres meter meters",
    "cm": "cm 厘米 公分",
    "mm": "mm 毫米",
    "里": "里地 华里",
    "mile": "英里 mile miles",
    "ft": "ft foot feet",
    "inch": "inch inches 英寸 寸",
    "m2": "m2 m² 平米 平方米 平方 平 sqm",
    "亩": "亩",
    "ha": "公顷 hectare hectares",
    "l": "l 升 litre litres liter liters",
    "ml": "ml 毫升",
    "°C": "°c 摄氏度 度",
    "°": "degree degrees",
    "°F": "°f 华氏度",
    "kWh": "kwh 度电 千瓦时",
    "W": "瓦",
    "kW": "kw 千瓦",
    "MB": "mb 兆",
    "GB": "gb 个g",
    "TB": "tb",
    "KB": "kb",
    "km/h": "km/h kph kmh",
    "mph": "mph",
    "Mbps": "mbps",
    "mAh": "mah 毫安时",
    "kcal": "kcal 大卡 千卡",
    "ms": "ms 毫秒",
    "second": "秒 秒钟 s sec secs second seconds",
    "minute": "分钟 min mins minute minutes",
    "hour": "小时 个小时 钟头 个钟头 h hr hrs hour hours",
    "day": "天 日内 day days",
    "workday": "个工作日 工作日",
    "week": "周 个星期 星期 个礼拜 礼拜 week weeks",
    "month": "个月 month months",
    "quarter": "个季度",
    "year": "年 year years",
    "岁": "岁",
    "人": "人 人次 people persons employees staff guests attendees",
    "分": "分 points",
    "票": "票",
    "套": "套 sets",
    "台": "台",
    "件": "件 items",
    "箱": "箱 boxes cartons",
    "pallet": "托 pallets",
}
# Parts of a currency's unit, as shares of it; 角 and 分 only where nothing else is meant by them.
PARTS = {
    "毛": ("CNY", 0.1),
    "毛钱": ("CNY", 0.1),
    "角钱": ("CNY", 0.1),
    "分钱": ("CNY", 0.01),
    "cent": ("USD", 0.01),
    "cents": ("USD", 0.01),
    "美分": ("USD", 0.01),
    "pence": ("GBP", 0.01),
}
_PHRASES = {
    "per cent": "%",
    "percentage points": "pp",
    "percentage point": "pp",
    "business days": "workday",
    "working days": "workday",
    "years old": "岁",
    "year old": "岁",
}
_MEASURES = """
个 名 位 辆 份 张 本 支 部 只 头 匹 棵 间 栋 层 包 袋 瓶 罐 桶 盒 杯 碗 批 次
遍 趟 页 轮 户 家 座 门 项 款 种 类 组 队 班 单 笔 株 颗 粒 块 片 把 双 对 卷
根 条 顿 桌 场 集 吨 艘 架 枚 幅 篇 封 首 股 口 卡车 集装箱 平方公里 立方米 立方
万件 人份
"""
MEASURE_WORDS = tuple(_MEASURES.split())
SYMBOLS = {
    "¥": "CNY",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "₩": "KRW",
    "₹": "INR",
    "us$": "USD",
    "hk$": "HKD",
    "nt$": "TWD",
    "s$": "SGD",
    "a$": "AUD",
    "c$": "CAD",
    "rmb": "CNY",
    "cny": "CNY",
    "usd": "USD",
    "eur": "EUR",
    "gbp": "GBP",
    "hkd": "HKD",
    "jpy": "JPY",
    "人民币": "CNY",
    "美元": "USD",
    "美金": "USD",
    "欧元": "EUR",
    "英镑": "GBP",
    "港币": "HKD",
    "港元": "HKD",
    "日元": "JPY",
    "台币": "TWD",
}
CURRENCIES = frozenset(SYMBOLS.values()) | {"RUB", "CHF"}
DURATIONS = frozenset({"second", "minute", "hour", "day", "workday", "week", "month", "quarter", "year"})


def _units() -> dict[str, str]:
    units = {word: word for word in MEASURE_WORDS} | _PHRASES
    units |= {spelling: currency for spelling, (currency, _) in PARTS.items()}
    for symbol, spellings in _SPELLINGS.items():
        units |= dict.fromkeys(spellings.split(), symbol)
    return units


UNITS = _units()
