"""Claims of Chinese sentences: one for each stretch between commas that has a predicate.

Chinese drops subjects: a clause without one goes on speaking of the last clause's. Frames (我觉得, 他说, 听说)
tell how what follows is put forward, as far as the sentence goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphsvc.language.claims import chinese_words as zh
from graphsvc.language.claims.chinese_holder import Place, subject_before
from graphsvc.language.claims.chinese_segments import PREDICATES, Segment, has_predicate, segments_of, words_of
from graphsvc.language.claims.chinese_signs import signs_of
from graphsvc.language.claims.quotes import Quotes
from graphsvc.language.claims.scene import NOBODY, Scene
from graphsvc.language.claims.verdict import Signs
from graphsvc.language.normalise import fold
from graphsvc.language.recognisers import Token
from graphsvc.models.facts import Attitude, Certainty, Claim, Holder, HolderKind

_IMPERSONAL = re.compile(
    r"^(?:有(?![没点时兴空钱])|是(?![不没因想怕去来要为])|下雨|下雪|刮风|天气|轮到|出现|发生|还有|又有|没事|没关系|没问题|好的|行|挺|很|太|非常|真)"
)
_AFTER_SAYING = frozenset(["了", "过", "着", "道", "起"])
_HEARERS = frozenset(["我", "我们", "你", "你们", "他", "她", "他们", "她们", "大家"])
_MOST_WEATHER_WORDS = 12
_TRAILING_FRAME = re.compile(r"^.{1,8}?(?:说道?|问道?|答|喊道?|回答|回复)$")


@dataclass(slots=True)
class _Frame:
    """What goes on from a frame to the rest of its sentence; `open` until a clause came under it."""

    hedged: bool = False
    hypothetical: bool = False
    reported: bool = False
    asked: bool = False
    direct: bool = False
    open: bool = False
    fresh: bool = False
    denied: bool = False
    reporter: Holder | None = None
    told: Holder | None = None


@dataclass(slots=True)
class _Reader:
    """One sentence, read clause by clause."""

    place: Place
    tokens: list[Token]
    scene: Scene
    quotes: Quotes
    last: int
    frame: _Frame
    trailing: Holder | None = None
    _reported: bool = False
    _hedged: bool = False

    def read(self, segment: Segment) -> Claim | None:
        """The claim of one stretch, None where it states nothing; the frame it opens stays for the next."""
        words = [token for token in self.tokens if segment.start <= token.start < segment.end]
        if ";" in segment.before or "；" in segment.before:
            self.frame = _Frame()
        framed = self._open_frame(words, segment)
        if framed is None:
            return None
        words, start = framed
        phrase = self.place.folded.text[start : segment.end]
        if not has_predicate(words) or zh.ACKNOWLEDGED.match(phrase):
            topic, _ = subject_before(words, self.place, self.scene, feels=False)
            if topic is not None and topic.kind is not HolderKind.GENERAL:
                self.scene.subject = topic  # 我弟弟，不吃香菜
            return None
        return self._claim(words, phrase, start, segment)

    def _open_frame(self, words: list[Token], segment: Segment) -> tuple[list[Token], int] | None:
        """Set the frame this stretch begins with aside; what is left and where it begins, None for a bare frame."""
        start = words[0].start if words else segment.start
        at = _frame_at(words)
        if at is None:
            return words, start
        verb = words[at]
        rest = words[at + 1 :]
        told = None
        while rest and rest[0].text in _AFTER_SAYING | _HEARERS:
            follower = rest[1].tag if len(rest) > 1 else ""
            if rest[0].text in _HEARERS and verb.text not in {"告诉", "问", "问过"}:
                break
            if rest[0].text in {"我", "我们"} and follower:
                told = self.scene.first()
            recipient = rest[0].text not in _AFTER_SAYING
            rest = rest[1:]
            if recipient:
                break
        bare = not rest
        if not bare and not has_predicate(rest) and verb.text in zh.SAYING:
            return words, start  # 他说英语
        heard = words[0].text == "听" and at > 0
        who, _ = subject_before(words[heard:at], self.place, self.scene, feels=True)
        if any(token.text in {"我", "我们"} for token in words[:at]) and who is not None:
            told = self.scene.first() if who.kind is HolderKind.OTHER else told
        self._set_frame(verb, who, told, words[:at], heard=heard)
        if bare:
            self.frame.direct = ":" in segment.after
            self.frame.open = True
            return None
        return rest, rest[0].start

    def _set_frame(
        self, verb: Token, who: Holder | None, told: Holder | None, before: Sequence[Token], *, heard: bool
    ) -> None:
        denied = verb.text == "不知道" or any(token.text in {"不", "没", "没有"} for token in before)
        hearsay = bool(zh.HEARSAY.match(verb.text))
        who = who if who is not None or hearsay else self.scene.subject or self.scene.first()
        own = who is not None and who.kind is HolderKind.SPEAKER
        self.frame = replace(
            self.frame,
            hedged=self.frame.hedged or hearsay or heard or verb.text in zh.THINKING,
            reported=self.frame.reported or hearsay or (verb.text in zh.SAYING and not own),
            asked=verb.text in zh.ASKING or (verb.text in zh.KNOWING and denied),
            reporter=None if hearsay else who,
            told=told,
            fresh=True,
            denied=(denied and verb.text in zh.THINKING) or (not denied and verb.text in zh.DENYING),
        )
        if who is not None and who.kind is HolderKind.OTHER:
            self.scene.subject = who

    def _claim(self, words: list[Token], phrase: str, start: int, segment: Segment) -> Claim | None:
        left, right = self.place.span(start, segment.end)
        inside = self.quotes.holds(left)
        signs = signs_of(phrase, words, start)
        holder, begin = self._holder(words, phrase, signs, segment, inside=inside or self.frame.direct)
        if holder is None:
            return None
        self._put(signs, phrase, segment)
        verbs = [token for token in words if token.start >= begin and token.tag in PREDICATES]
        verb = next((token for token in verbs if token.text not in zh.MODALS), verbs[0] if verbs else None)
        self._close(phrase)
        return Claim(
            start=left,
            end=right,
            polarity=signs.polarity(),
            certainty=signs.certainty(),
            attitude=signs.feeling(),
            quoted=inside or self._reported,
            holder=holder,
            predicate=None if verb is None else self.place.span(verb.start, verb.end),
        )

    def _holder(
        self, words: list[Token], phrase: str, signs: Signs, segment: Segment, *, inside: bool
    ) -> tuple[Holder | None, int]:
        """Whose clause it is, and where its predicate begins; an unspoken subject is the last one's."""
        frame = self.frame
        reporter = frame.reporter or self.trailing
        scene = self.scene.without(self.scene.subject) if segment.bidden else self.scene
        if inside and reporter is not None and reporter.kind is not HolderKind.SPEAKER:
            scene = scene.inside_quote(reporter, frame.told)
        if zh.NO_ONE.match(zh.JOINTS.sub("", phrase)):
            self._reported, self._hedged = frame.reported, frame.hedged
            return NOBODY, words[0].start
        if segment.contrasted and scene.subject is not None:
            self._reported, self._hedged = frame.reported, frame.hedged
            return scene.subject, words[0].start
        found, begin = subject_before(words, self.place, scene, feels=signs.attitude is not Attitude.NONE)
        explicit = found is not None
        if not explicit and zh.ORDER.match(zh.JOINTS.sub("", phrase)):
            signs.planned = True
            return scene.second(), begin
        over = frame.reported and not (frame.open or frame.fresh or inside)
        if over and found is not None and found.kind is HolderKind.SPEAKER:  # who reported goes on about themselves
            self.frame = replace(frame, reported=False, reporter=None, hedged=False)
        self._reported, self._hedged = self.frame.reported, self.frame.hedged
        if found is None:
            found = NOBODY if _of_weather(words) else self._unspoken(zh.JOINTS.sub("", phrase), signs, scene)
        if explicit or found.kind is not HolderKind.GENERAL:
            self.scene.subject = found
        return found, begin

    def _unspoken(self, phrase: str, signs: Signs, scene: Scene) -> Holder:
        if _IMPERSONAL.match(phrase) and signs.attitude is Attitude.NONE:
            return NOBODY
        if self.frame.reporter is not None:
            return self.frame.reporter
        return scene.subject or scene.first()

    def _put(self, signs: Signs, phrase: str, segment: Segment) -> None:
        """How the clause is put forward: by its own marks, its place and its frame."""
        frame = self.frame
        final = segment.end == self.last and "?" in segment.after
        wh = bool(zh.WH.search(phrase)) and not zh.NOT_WH.search(phrase)
        open_end = not segment.after.strip() or "?" in segment.after
        signs.planned |= segment.bidden
        signs.asked |= final or frame.asked or bool(zh.ASK_END.search(phrase)) or (wh and open_end)
        signs.hypothetical |= frame.hypothetical
        signs.hedged |= self._hedged
        signs.negators += frame.denied
        if zh.CONCESSION.search(phrase):
            signs.hypothetical = True

    def _close(self, phrase: str) -> None:
        """What of the frame goes on: a condition and a report do, a single thought does not."""
        goes_on = self.frame.reported or (self.frame.open and self.frame.reporter is not None)
        condition = zh.CONDITION.search(phrase) is not None and not zh.WISH.search(phrase)
        self.frame = replace(
            self.frame,
            hypothetical=self.frame.hypothetical or condition,
            hedged=self.frame.hedged and goes_on,
            asked=False,
            denied=False,
            fresh=False,
            open=self.frame.open and self.frame.direct,
            reporter=self.frame.reporter if self.frame.reported or self.frame.direct else None,
        )


def chinese_claims(text: str, offset: int, scene: Scene, quotes: Quotes) -> list[Claim]:
    """The claims of one sentence that begins at `offset` of the whole text."""
    folded = fold(text)
    tokens = words_of(folded.text)
    segments = list(segments_of(folded.text, tokens))
    if not segments:
        return []
    reader = _Reader(Place(folded, offset), tokens, scene, quotes, segments[-1].end, _Frame())
    reader.trailing = _trailing(segments, reader)
    claims: list[Claim] = []
    for segment in segments:
        phrase = folded.text[segment.start : segment.end]
        if zh.TAG.match(phrase) and claims:
            if phrase not in {"嗯", "啊", "哈"} and ("?" in segment.after or phrase.endswith("吧")):
                claims[-1] = claims[-1].model_copy(update={"certainty": Certainty.ASKED})
            continue
        claim = reader.read(segment)
        if claim is not None:
            claims.append(claim)
    return claims


def chinese_phrase_holder(text: str, scene: Scene) -> Holder:
    """The holder of a phrase without a predicate: 何琳的电话."""
    folded = fold(text)
    tokens = words_of(folded.text)
    found, _ = subject_before(tokens, Place(folded, 0), scene, feels=False)
    return found or NOBODY


def _of_weather(words: Sequence[Token]) -> bool:
    """如果明天下雨: behind the words of time and the joints, it rains."""
    return zh.WEATHER.match("".join(_predicated(words))) is not None


def _predicated(words: Sequence[Token]) -> Iterator[str]:
    begun = False
    for token in words[:_MOST_WEATHER_WORDS]:
        begun = begun or token.tag not in {"TIME", "t", "c", "f"}
        if begun:
            yield token.text


def _trailing(segments: Sequence[Segment], reader: _Reader) -> Holder | None:
    """Who is named after the quotation: “我讨厌下雨，”她说."""
    text = reader.place.folded.text
    for segment in segments[1:]:
        phrase = text[segment.start : segment.end]
        if any(mark in segment.before for mark in '”」』"') and _TRAILING_FRAME.match(phrase):
            words = [token for token in reader.tokens if segment.start <= token.start < segment.end]
            return subject_before(words, reader.place, reader.scene, feels=True)[0]
    return None


def _frame_at(words: Sequence[Token]) -> int | None:
    """The verb of saying, asking or thinking a stretch begins with, its subject and adverbs before it."""
    if words and words[0].text == "听":
        return next((at for at, token in enumerate(words[1:5], 1) if token.text == "说"), None)
    for at, token in enumerate(words):
        if zh.HEARSAY.match(token.text) and at <= 1:
            return at
        if token.text in zh.SAYING or token.text in zh.THINKING or token.text in zh.ASKING or token.text in zh.KNOWING:
            return at
        if token.tag.startswith("v") and token.text not in {"我", "你", "他", "她", "会", "要", "想"}:
            return None
    return None
