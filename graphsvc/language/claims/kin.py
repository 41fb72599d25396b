"""Words for people by their relation: kinship, partners, pets, and the roles of working and social life.

Each word stands for one or more atomic relations, so that brother, 哥哥 and 弟弟 can be compared: two words
may mean one person when they share a relation. These are closed classes of the two languages.
"""

from __future__ import annotations

import re

_KIN = """
father: 爸 爸爸 父亲 老爸 爹 老爹 我爸 dad daddy father papa pop
mother: 妈 妈妈 母亲 老妈 娘 mom mum mother mommy mummy mama
father mother: 父母 爸妈 双亲 家长 parent
elder_brother: 哥 哥哥 大哥 二哥 老哥
younger_brother: 弟 弟弟 小弟 老弟
elder_brother younger_brother: 兄弟 brother bro
elder_sister: 姐 姐姐 大姐 二姐 老姐
younger_sister: 妹 妹妹 小妹 老妹
elder_sister younger_sister: 姐妹 sister sis
elder_brother younger_brother elder_sister younger_sister: 兄弟姐妹 sibling twin
husband: 老公 丈夫 husband hubby
wife: 老婆 妻子 太太 媳妇 wife
husband wife: 爱人 配偶 spouse
boyfriend: 男朋友 男友 boyfriend
girlfriend: 女朋友 女友 girlfriend
husband wife boyfriend girlfriend fiance fiancee: 对象 伴侣 另一半 partner
fiance: 未婚夫 fiancé fiance
fiancee: 未婚妻 fiancée fiancee
ex: 前男友 前女友 前夫 前妻 前任 ex ex-husband ex-wife ex-boyfriend ex-girlfriend
son: 儿子 son
daughter: 女儿 闺女 daughter
son daughter: 孩子 小孩 娃 宝宝 kid child children baby toddler
grandfather: 爷爷 外公 姥爷 祖父 外祖父 grandfather grandpa granddad
grandmother: 奶奶 外婆 姥姥 祖母 外祖母 grandmother grandma granny nana
grandfather grandmother: 祖父母 grandparent
grandchild: 孙子 孙女 外孙 外孙女 grandson granddaughter grandchild
uncle: 叔叔 舅舅 伯伯 伯父 姑父 姨父 姑丈 姨丈 舅父 uncle
aunt: 姑姑 姨妈 舅妈 婶婶 伯母 姑妈 小姨 大姨 aunt auntie aunty
cousin: 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 表兄 cousin
nephew: 侄子 外甥 nephew
niece: 侄女 外甥女 niece
father_in_law: 岳父 公公 丈人 father-in-law
mother_in_law: 岳母 丈母娘 婆婆 mother-in-law
brother_in_law: 姐夫 妹夫 小舅子 大舅子 小叔子 brother-in-law
sister_in_law: 嫂子 弟妹 小姨子 大姑子 sister-in-law
son_in_law: 女婿 son-in-law
daughter_in_law: 儿媳 儿媳妇 daughter-in-law
stepparent: 继父 继母 后妈 后爸 stepfather stepmother stepdad stepmom
family: 家人 家里人 亲戚 relative family folks
"""
_ROLES = """
friend: 朋友 好友 闺蜜 哥们 哥们儿 friend buddy mate bestie pal
colleague: 同事 colleague coworker co-worker teammate workmate
classmate: 同学 校友 classmate schoolmate
roommate: 室友 舍友 合租室友 roommate flatmate housemate
neighbour: 邻居 neighbour neighbor
boss: 老板 领导 上司 主管 经理 boss manager supervisor chief
teacher: 老师 导师 教授 教练 teacher tutor mentor professor coach instructor trainer
doctor: 医生 大夫 牙医 护士 doctor dentist physician nurse therapist surgeon vet
client: 客户 顾客 客人 client customer guest
landlord: 房东 landlord landlady
tenant: 租客 房客 tenant
assistant: 秘书 助理 secretary
student: 学生 实习生 徒弟 student intern pupil apprentice trainee
lawyer: 律师 lawyer attorney solicitor
engineer: 工程师 程序员 设计师 engineer developer designer programmer
official: 警察 法官 司机 officer judge driver policeman
worker: 员工 保姆 阿姨 employee nanny cleaner babysitter
host: 店员 服务员 waiter waitress clerk barista
person: 女人 男人 女孩 男孩 老人 man woman girl boy guy lady person gentleman
dog: 狗 狗狗 小狗 dog puppy
cat: 猫 猫咪 小猫 cat kitten
pet: 宠物 兔子 鹦鹉 pet rabbit parrot hamster
"""
_MALE = frozenset(
    [
        "father",
        "elder_brother",
        "younger_brother",
        "husband",
        "boyfriend",
        "fiance",
        "son",
        "grandfather",
        "uncle",
        "nephew",
        "father_in_law",
        "brother_in_law",
        "son_in_law",
    ]
)
_FEMALE = frozenset(
    [
        "mother",
        "elder_sister",
        "younger_sister",
        "wife",
        "girlfriend",
        "fiancee",
        "daughter",
        "grandmother",
        "aunt",
        "niece",
        "mother_in_law",
        "sister_in_law",
        "daughter_in_law",
    ]
)
_HAN_WORD = re.compile("[\u4e00-\u9fff]+")


def _table(lines: str) -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for line in lines.strip().splitlines():
        meanings, _, words = line.partition(":")
        for word in words.split():
            table[word] = table.get(word, frozenset()) | frozenset(meanings.split())
    return table


_RELATIVES = _table(_KIN)
_OTHERS = _table(_ROLES)
# The longest first, so that 外甥女 is not read as 外甥.
_HAN_WORDS = sorted(filter(_HAN_WORD.fullmatch, (*_RELATIVES, *_OTHERS)), key=len, reverse=True)
_HAN_END = re.compile(f"(?:{'|'.join(_HAN_WORDS)})(?:们)?$")


def is_relative(word: str) -> bool:
    """Whether a folded word names kin or a partner, who is the speaker's own when no one else is named."""
    return _singular(word) in _RELATIVES


def relations(word: str) -> frozenset[str]:
    """The atomic relations a folded word may stand for; empty for any other word."""
    one = _singular(word)
    return _RELATIVES.get(one) or _OTHERS.get(one) or frozenset()


def han_relation(phrase: str) -> str | None:
    """The relation word a Han noun phrase ends with: 大学同学 → 同学."""
    found = _HAN_END.search(phrase, max(0, len(phrase) - 6))
    return found.group().removesuffix("们") if found else None


def gender(word: str) -> str | None:
    """`m` or `f` where the relation settles it."""
    meanings = relations(word)
    if meanings and meanings <= _MALE:
        return "m"
    return "f" if meanings and meanings <= _FEMALE else None


def _singular(word: str) -> str:
    known = word in _RELATIVES or word in _OTHERS
    if not known and word.endswith("s"):
        return word[:-1]
    return word.removesuffix("们")
