"""Claims of English sentences: one for each clause with a subject, from its dependency tree.

Frames ("I think", "he said", "do you know if") make no claim of their own; they tell how the clause they
hold is put forward, and by whom.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from graphsvc.language.claims import english_words as en
from graphsvc.language.claims.english_frame import Frame, content_of, is_frame, is_order, lend, question, tag_question
from graphsvc.language.claims.english_holder import holder_of
from graphsvc.language.claims.english_parts import Part, second_part
from graphsvc.language.claims.english_signs import is_attributed, signs_of
from graphsvc.language.claims.english_tree import Tree
from graphsvc.language.claims.parse import Word
from graphsvc.language.claims.quotes import Quotes
from graphsvc.language.claims.scene import NOBODY, Scene
from graphsvc.language.claims.verdict import Signs
from graphsvc.models.facts import Attitude, Certainty, Claim, Holder, HolderKind, Polarity

_FEELING = en.LIKING.keys() | en.DISLIKING.keys()


def english_claims(words: list[Word], scene: Scene, quotes: Quotes) -> list[Claim]:
    """The claims of one parsed sentence, in order of place."""
    return _Reader(Tree(words), scene, quotes).claims()


def english_phrase_holder(words: list[Word], scene: Scene) -> Holder:
    """The holder of a phrase without a predicate: Helen's phone number."""
    root = next(word for word in words if word.head == word.index)
    return holder_of(Tree(words), root, root, scene)


@dataclass(slots=True)
class _Reader:
    """One sentence: what each clause's own words say, what its frame lends it, and whose it is."""

    tree: Tree
    scene: Scene
    quotes: Quotes
    frames: dict[int, Frame] = field(default_factory=dict)
    holders: dict[int, Holder] = field(default_factory=dict)
    signs: dict[int, Signs] = field(default_factory=dict)

    def claims(self) -> list[Claim]:
        """Outer clauses are read before the clauses that hang on them."""
        tree = self.tree
        asked, tag = question(tree), tag_question(tree)
        self.signs = {head.index: signs_of(tree, head) for head in tree.heads}
        held = {head.index: content_of(tree, head) for head in tree.heads}
        for head in _outer_first(tree):
            self.frames[head.index] = self._framed(head, asked=asked)
            self.holders[head.index] = self._holder(head)
            for content in held[head.index]:
                around = replace(self.frames[head.index], holder=self.holders[head.index])
                self.frames[content.index] = lend(tree, head, content, around, self.scene)
        for head in tree.heads:
            self._share(head)
        return [
            claim
            for head in tree.heads
            if head.index != tag and not (held[head.index] and is_frame(tree, head)) and self._states(head)
            for claim in self._claims(head)
        ]

    def _claims(self, head: Word) -> list[Claim]:
        """What a clause says: one thing, or two where it sets one thing against another or bids somebody."""
        part = second_part(self.tree, head)
        if part is None or self.signs[head.index].negators % 2 == 0:
            return [self._claim(head)]
        if part.who is not None:
            self.signs[head.index].negators -= 1
        first = self._claim(head)
        return [first.model_copy(update={"end": part.cut}), self._second(first, head, part)]

    def _second(self, first: Claim, head: Word, part: Part) -> Claim:
        """The thing set against what was denied, or what somebody is bidden not to do."""
        update: dict[str, object] = {"start": part.start, "end": part.end}
        if part.who is None:
            signs = replace(self.signs[head.index], negators=0)
            update |= {"polarity": signs.polarity(), "attitude": signs.feeling()}
        else:
            held = holder_of(self.tree, part.who, head, self.scene.without(first.holder))
            span = (part.word.start, part.word.end)
            update |= {"polarity": Polarity.NEGATED, "attitude": Attitude.NONE, "holder": held, "predicate": span}
            update["certainty"] = Certainty.PLANNED if first.certainty is Certainty.CERTAIN else first.certainty
        return first.model_copy(update=update)

    def _claim(self, head: Word) -> Claim:
        signs, frame = self.signs[head.index], self.frames[head.index]
        signs.asked |= frame.asked
        signs.hypothetical |= frame.hypothetical
        signs.hedged |= frame.hedged
        signs.negators += frame.negators
        start, end = self.tree.span(head)
        return Claim(
            start=start,
            end=end,
            polarity=signs.polarity(),
            certainty=signs.certainty(),
            attitude=signs.feeling(),
            quoted=self._is_reported(head) or self.quotes.holds(head.start) or is_attributed(self.tree.scope(head)),
            holder=self.holders[head.index],
            predicate=(head.start, head.end),
        )

    def _is_reported(self, head: Word) -> bool:
        """Whether others say so; what somebody denies doing is their word."""
        denies = head.text in en.DENYING and self.tree.part(head, "xcomp") is not None
        return self.frames[head.index].reported or (denies and self.holders[head.index].kind is not HolderKind.SPEAKER)

    def _share(self, head: Word) -> None:
        """A bare verb joined to another (`don't smoke or drink`) shares its auxiliaries and what they say."""
        first = self.signs.get(head.head)
        bare = head.tag == "VB" and self.tree.part(head, "aux", "neg") is None
        if head.dep != "conj" or first is None or not bare or self.tree.subject(head) is not None:
            return
        own = self.signs[head.index]
        own.hypothetical |= first.hypothetical
        own.hedged |= first.hedged
        own.planned |= first.planned
        own.negators += 0 if self._is_opposed(head) else first.negators

    def _is_opposed(self, head: Word) -> bool:
        """I don't smoke but drink."""
        between = self.tree.words[head.head + 1 : head.index]
        return any(word.text == "but" and word.dep == "cc" for word in between)

    def _framed(self, head: Word, *, asked: bool) -> Frame:
        """What the clauses above lend: all of it to a joined clause, of a side clause only who reports it."""
        given = self.frames.get(head.index)
        if given is not None:
            return given
        outer = self.frames.get(_above(self.tree, head))
        if outer is None:
            return Frame(asked=asked)
        if head.dep in {"conj", "parataxis"}:
            return outer
        return Frame(reported=outer.reported, reporter=outer.reporter, told=outer.told)

    def _holder(self, head: Word) -> Holder:
        """Whose clause it is; a joined verb keeps the subject of the verb it is joined to."""
        tree, frame, scene = self.tree, self.frames[head.index], self.scene
        if self.quotes.holds(head.start) and frame.reporter and frame.reporter.kind is not HolderKind.SPEAKER:
            scene = scene.inside_quote(frame.reporter, frame.told)
        subject, agent = tree.subject(head), tree.part(head, "agent")
        if agent is not None and head.text in _FEELING:
            subject = tree.part(agent, "pobj") or subject
        if subject is None:
            above = self.holders.get(_above(tree, head)) if head.dep == "conj" else None
            return above or _unspoken(tree, head, scene)
        holder = holder_of(tree, subject, head, scene)
        self.scene.meet(holder)
        if holder.kind is not HolderKind.GENERAL or subject.dep != "expl":
            self.scene.subject = holder
        return holder

    def _states(self, head: Word) -> bool:
        """Whether a head is more than a greeting, a title or a fragment."""
        tree, signs = self.tree, self.signs[head.index]
        if is_order(tree, head):
            signs.planned = True
            return len(tree.words) > 2
        if tree.subject(head) is not None:
            start, end = tree.span(head)
            return head.dep != "advcl" or end - start > len("as i know")
        if head.tag.startswith("VB") or head.tag == "MD":
            return head.dep != "ROOT" or len(tree.words) > 1
        return signs.attitude is not Attitude.NONE or bool(signs.negators)


def _unspoken(tree: Tree, head: Word, scene: Scene) -> Holder:
    """Whose a clause without a subject is: an order's is the hearer's, a note's the writer's."""
    if is_order(tree, head):
        return scene.second()
    if head.tag == "VBZ" and scene.subject is not None:
        return scene.subject
    return scene.first() if head.tag.startswith("VB") or head.tag in {"JJ", "MD"} else NOBODY


def _outer_first(tree: Tree) -> list[Word]:
    """Clause heads, each after the clause it hangs on; otherwise in order of place."""
    depth: dict[int, int] = {}
    for word in tree.downwards():
        depth[word.index] = 0 if word.head == word.index else depth[word.head] + 1
    return sorted(tree.heads, key=lambda head: (depth[head.index], head.index))


def _above(tree: Tree, head: Word) -> int:
    """The clause a head hangs on, -1 for the outermost."""
    return -1 if head.head == head.index else tree.owner(tree.words[head.head])
