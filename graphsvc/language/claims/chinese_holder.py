"""Who the subject of a Chinese clause is, from the noun phrases before its predicate.

The phrase nearest the predicate that names someone wins, because a topic may stand before the subject
(香菜我弟弟不吃); what a preposition governs is never the subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphsvc.language.claims import chinese_words as zh
from graphsvc.language.claims import kin
from graphsvc.language.claims.scene import NOBODY, Scene
from graphsvc.language.normalise import Folded
from graphsvc.language.recognisers import Token
from graphsvc.models.facts import Holder, HolderKind

_NOMINAL = frozenset({"r", "n", "nr", "ns", "nt", "nz", "nw", "PER", "LOC", "ORG", "s", "an", "m", "q", "vn"})
_PRONOUNS = frozenset({*zh.FIRST, *zh.SECOND, *zh.THIRD})
_SKIPPED = frozenset({"d", "c", "TIME", "f", "xc", "ad", "w", "t"})
_OF = "的"
_ASKING = ("哪", "什么", "多少", "几点", "几号", "几时", "几月")
# What stands before a subject or an agent without being the predicate: 不是我…, 由张伟负责; 自己 repeats the subject.
_COPULA = frozenset({"是", "不是", "就是"})
_AGENT = frozenset({"由", "自己"})
_SELF = frozenset({"", "自己", "本人", "家", "这边", "那边", "们", "俩", "们俩", "几个", "一个人", "个人", "都"})


@dataclass(frozen=True, slots=True)
class Place:
    """How a sentence's folded text lies in the whole text as written."""

    folded: Folded
    offset: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        left, right = self.folded.span(start, end)
        return self.offset + left, self.offset + right


def subject_before(tokens: Sequence[Token], place: Place, scene: Scene, *, feels: bool) -> tuple[Holder | None, int]:
    """The holder the words before the predicate name, None where none is named, and where the predicate begins.

    `feels` tells that the predicate takes a person: a noun nobody knows is then someone.
    """
    chosen: Holder | None = None
    thing = False
    begin = tokens[0].start if tokens else 0
    for start, end in _phrases(tokens):
        holder = _Readings(place, scene).classify(place.folded.text[start:end], start, end)
        begin = end
        if holder is None:
            thing = True
            if feels and chosen is None and not zh.THING.match(place.folded.text[start:end]):
                left, right = place.span(start, end)
                chosen = Holder(kind=HolderKind.OTHER, text=scene.text[left:right], start=left, end=right)
        else:
            scene.meet(holder)
            chosen = holder
    if chosen is None and thing:
        chosen = NOBODY
    return chosen, begin


def _phrases(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Noun phrases up to the predicate; a pronoun after a complete noun begins a new one."""
    start = end = -1
    joined = False
    for place, token in enumerate(tokens):
        asks = start >= 0 and not joined and token.text.startswith(_ASKING)  # 我妈 | 哪天
        nominal = token.tag in _NOMINAL or token.text in _PRONOUNS or kin.relations(token.text)
        if token.text in _AGENT or (token.text in _COPULA and place == 0):
            if start >= 0:
                yield start, end
            start, joined = -1, False
        elif token.text == _OF and start >= 0:
            end, joined = token.end, True
        elif nominal and not asks and token.text not in {"有人"} | zh.NEGATOR_TOKENS:
            if start >= 0 and not joined and token.text in _PRONOUNS:
                yield start, end
                start = token.start
            start = token.start if start < 0 else start
            end, joined = token.end, False
        elif token.tag == "a" and _of_follows(tokens, place):
            start = token.start if start < 0 else start
            end = token.end
        elif token.tag in _SKIPPED or asks:
            if start >= 0:
                yield start, end
            start, joined = -1, False
        elif token.text == "有人":
            start, end = token.start, token.end
        else:
            break
    if start >= 0:
        yield start, end


def _of_follows(tokens: Sequence[Token], place: int) -> bool:
    return place + 1 < len(tokens) and tokens[place + 1].text == _OF


@dataclass(frozen=True, slots=True)
class _Readings:
    """Noun phrases of one sentence, read as people."""

    place: Place
    scene: Scene

    def classify(self, phrase: str, start: int, end: int) -> Holder | None:
        """The holder of a noun phrase: the person, the relative, or the owner of the thing; None for a thing."""
        phrase = phrase.removesuffix(_OF)
        if phrase in zh.USER:
            return self.scene.first()
        if zh.EVERYBODY.match(phrase):
            return NOBODY
        owner, of, head = phrase.rpartition(_OF)
        if of:
            relation = kin.han_relation(head)
            held = self.classify(owner, start, start + len(owner))
            if relation is None:
                return self._known(head, end - len(head), end, held) or held
            return self._relative(start, end, relation, held)
        pronoun = next((one for one in (*zh.FIRST, *zh.SECOND, *zh.THIRD) if phrase.startswith(one)), None)
        if pronoun is not None:
            return self._by_pronoun(phrase, pronoun, start, end)
        known = self._known(phrase, start, end)
        if known is not None:
            return known
        relation = kin.han_relation(phrase)
        if relation is None or (phrase.startswith(("这", "那")) and not kin.relations(phrase[-2:])):
            return None
        owned = self.scene.first() if kin.is_relative(relation) and phrase == relation else None
        return self._relative(start, end, relation, owned)

    def _by_pronoun(self, phrase: str, pronoun: str, start: int, end: int) -> Holder:
        left, right = self.place.span(start, start + len(pronoun))
        if pronoun in zh.FIRST:
            person = self.scene.first()
        elif pronoun in zh.SECOND:
            person = self.scene.second()
        else:
            person = self.scene.third(self.scene.text[left:right], left, right, zh.THIRD[pronoun])
        rest = phrase[len(pronoun) :]
        if rest in _SELF:
            return person
        named = self.scene.mention_at(*self.place.span(start + len(pronoun), end))
        if named is not None and named.end == self.place.span(start, end)[1]:  # 我朋友王磊
            rest = rest[: -len(named.text)]
        relation = kin.han_relation(rest) or _relative_before(rest)
        if relation is None:
            return person  # 我手机, 我公司: what is mine tells of me
        found = self._relative(start, end, relation, person)
        return found if named is None else found.model_copy(update={"key": named.key})

    def _known(self, phrase: str, start: int, end: int, owner: Holder | None = None) -> Holder | None:
        """A named person or organisation, or the relative whose possessor is named: 何琳弟弟."""
        mention = self.scene.mention_at(*self.place.span(start, end))
        if mention is None:
            return None
        person = self.scene.named(mention.text, mention.start, mention.end)
        after = (
            phrase[-max(0, self.place.span(start, end)[1] - mention.end) :]
            if self.place.span(start, end)[1] > mention.end
            else ""
        )
        relation = kin.han_relation(after) or _relative_before(after)
        if relation is not None and mention.type == "person":
            return self._relative(start, end, relation, person)
        before = phrase[: max(0, mention.start - self.place.span(start, end)[0])]
        relation = kin.han_relation(before)
        if relation is not None and person.kind is HolderKind.OTHER:  # 我弟弟张伟
            related = self._relative(start, end, relation, owner) if owner else None
            related = related or self.classify(before, start, start + len(before))
            if related is not None and related.relation:
                kept = ("relation", "possessor", "possessor_key")
                return person.model_copy(update={name: getattr(related, name) for name in kept})
        return person

    def _relative(self, start: int, end: int, relation: str, owner: Holder | None) -> Holder:
        left, right = self.place.span(start, end)
        return self.scene.related(self.scene.text[left:right], left, right, relation=relation, possessor=owner)


def _relative_before(phrase: str) -> str | None:
    """The relative whose thing a phrase names without 的: 妈妈 in 妈妈生日; one letter more would be another word."""
    ends = range(len(phrase) - 2, 0, -1)
    return next((phrase[:end] for end in ends if kin.relations(phrase[:end]) and kin.is_relative(phrase[:end])), None)
