"""The years of Chinese reigns from Tang to Qing: the first year of each era by its name.

A reign's months are lunar and before the table of `lunar`; their numbers are kept as they are written.
Names that several dynasties used stand for the best known.
"""

from __future__ import annotations

ERAS = {
    "武德": 618, "贞观": 627, "永徽": 650, "显庆": 656, "龙朔": 661, "麟德": 664, "乾封": 666, "总章": 668,
    "咸亨": 670, "仪凤": 676, "调露": 679, "永隆": 680, "永淳": 682, "弘道": 683, "光宅": 684, "垂拱": 685,
    "天授": 690, "长寿": 692, "圣历": 698, "久视": 700, "长安": 701, "神龙": 705, "景龙": 707, "景云": 710,
    "先天": 712, "开元": 713, "天宝": 742, "至德": 756, "乾元": 758, "宝应": 762, "广德": 763, "永泰": 765,
    "大历": 766, "建中": 780, "兴元": 784, "贞元": 785, "永贞": 805, "元和": 806, "长庆": 821, "宝历": 825,
    "大和": 827, "开成": 836, "会昌": 841, "大中": 847, "咸通": 860, "乾符": 874, "广明": 880, "中和": 881,
    "光启": 885, "文德": 888, "龙纪": 889, "景福": 892, "乾宁": 894, "光化": 898, "天复": 901, "天祐": 904,
    "建隆": 960, "乾德": 963, "开宝": 968, "太平兴国": 976, "雍熙": 984, "端拱": 988, "淳化": 990, "至道": 995,
    "咸平": 998, "景德": 1004, "大中祥符": 1008, "天禧": 1017, "天圣": 1023, "明道": 1032, "景祐": 1034,
    "宝元": 1038, "庆历": 1041, "皇祐": 1049, "至和": 1054, "嘉祐": 1056, "治平": 1064, "熙宁": 1068,
    "元丰": 1078, "元祐": 1086, "绍圣": 1094, "元符": 1098, "崇宁": 1102, "大观": 1107, "政和": 1111,
    "宣和": 1119, "靖康": 1126, "建炎": 1127, "绍兴": 1131, "隆兴": 1163, "乾道": 1165, "淳熙": 1174,
    "绍熙": 1190, "庆元": 1195, "嘉泰": 1201, "开禧": 1205, "嘉定": 1208, "宝庆": 1225, "绍定": 1228,
    "端平": 1234, "淳祐": 1241, "宝祐": 1253, "景定": 1260, "咸淳": 1265, "德祐": 1275, "祥兴": 1278,
    "至元": 1264, "元贞": 1295, "大德": 1297, "至大": 1308, "皇庆": 1312, "延祐": 1314, "至治": 1321,
    "泰定": 1324, "天历": 1328, "至顺": 1330, "元统": 1333, "至正": 1341,
    "洪武": 1368, "建文": 1399, "永乐": 1403, "洪熙": 1425, "宣德": 1426, "正统": 1436, "景泰": 1450,
    "天顺": 1457, "成化": 1465, "弘治": 1488, "正德": 1506, "嘉靖": 1522, "隆庆": 1567, "万历": 1573,
    "泰昌": 1620, "天启": 1621, "崇祯": 1628,
    "顺治": 1644, "康熙": 1662, "雍正": 1723, "乾隆": 1736, "嘉庆": 1796, "道光": 1821, "咸丰": 1851,
    "同治": 1862, "光绪": 1875, "宣统": 1909, "民国": 1912,
}  # fmt: skip
# Reigns of one name last sixty-one years at most; the republic's count goes on.
_LONGEST = 120


STEMS, BRANCHES, ANIMALS = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥", "鼠牛虎兔龙蛇马羊猴鸡狗猪"
# The year 4 began a round of sixty years.
_FIRST_OF_CYCLE = 4


def cycle_year(name: str, year: int) -> int | None:
    """The year of a stem and branch, 甲午, or of an animal, that is nearest to `year`; none for a pair there is not."""
    length = 60 if len(name) == 2 else 12
    for apart in sorted(range(-length, length), key=abs):
        number = year + apart - _FIRST_OF_CYCLE
        if name in {STEMS[number % 10] + BRANCHES[number % 12], ANIMALS[number % 12]}:
            return year + apart
    return None


def era_year(name: str, number: int) -> int | None:
    """The common year of the nth year of an era."""
    return ERAS[name] + number - 1 if 1 <= number < _LONGEST else None
