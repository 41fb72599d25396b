"""Walk an English dependency tree: which words head a clause, and which words each clause owns."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphsvc.language.claims.parse import Word

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_VERBAL = frozenset({"VB", "VBD", "VBZ", "VBP", "VBG", "VBN", "MD"})
_CLAUSAL = frozenset({"ROOT", "conj", "ccomp", "advcl", "parataxis"})
# Parts of another clause that have a verb of their own; their negators are not that clause's.
_EMBEDDED = frozenset({"relcl", "acl", "pcomp", "csubj", "advcl", "ccomp", "parataxis"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})
_AUXILIARIES = frozenset({"aux", "auxpass"})
_COMPLETING = _AUXILIARIES | {"xcomp", "acomp", "attr", "oprd"}


@dataclass(slots=True)
class Tree:
    """One sentence; `heads` are the words that head its clauses, in order."""

    words: list[Word]
    children: list[list[Word]] = field(default_factory=list)
    heads: list[Word] = field(default_factory=list)
    _owner: dict[int, int] = field(default_factory=dict)
    _scope: dict[int, int] = field(default_factory=dict)
    _owned: dict[int, list[Word]] = field(default_factory=dict)
    _scoped: dict[int, list[Word]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.children = [[] for _ in self.words]
        for word in self.words:
            if word.head != word.index:
                self.children[word.head].append(word)
        is_head = [False] * len(self.words)
        for word in self.downwards():
            is_head[word.index] = self._heads_clause(word, is_head)
            own = is_head[word.index] or word.head == word.index
            self._owner[word.index] = word.index if own else self._owner[word.head]
            apart = own or word.dep in _EMBEDDED
            self._scope[word.index] = word.index if apart else self._scope[word.head]
        # A run of spaces or line breaks is a word to the parser, at times the root of a sentence; it states nothing.
        self.heads = [word for word in self.words if is_head[word.index] and word.shape.strip()]
        for word in self.words:
            self._owned.setdefault(self._owner[word.index], []).append(word)
            self._scoped.setdefault(self._scope[word.index], []).append(word)

    def subject(self, head: Word) -> Word | None:
        """The subject a clause has of its own."""
        return next((child for child in self.children[head.index] if child.dep in SUBJECTS), None)

    def scope(self, head: Word) -> list[Word]:
        """Words whose negators and adverbs are this clause's."""
        return self._scoped[head.index]

    def span(self, head: Word) -> tuple[int, int]:
        """From the first to the last word of the clause that is not in another one, without its joints."""
        own = [word for word in self._owned[head.index] if word.shape.strip()]
        run = _around(own, head, {word.index for word in self.heads})
        while len(run) > 1 and (_is_joint(run[0]) or (run[0].text == "that" and run[0].dep == "mark")):
            run.pop(0)
        while len(run) > 1 and _is_joint(run[-1]):
            run.pop()
        return run[0].start, run[-1].end

    def chain(self, head: Word) -> list[Word]:
        """The predicate: the head, its auxiliaries, and what completes it (to stop drinking, be fond of)."""
        chain = [head]
        for word in chain:
            chain.extend(
                child
                for child in self.children[word.index]
                if child.dep in _COMPLETING or (child.dep == "conj" and word is not head and child.tag == word.tag)
            )
        return chain

    def part(self, head: Word, *deps: str) -> Word | None:
        """The first child with one of these relations."""
        return next((child for child in self.children[head.index] if child.dep in deps), None)

    def tensed(self, head: Word) -> bool:
        """Whether the clause carries a tense of its own."""
        return head.tag in _FINITE or any(
            child.dep in _AUXILIARIES and (child.tag in _FINITE or child.text in {"'ll", "'d", "'ve", "'m", "'re"})
            for child in self.children[head.index]
        )

    def _heads_clause(self, word: Word, is_head: list[bool]) -> bool:
        if word.dep not in _CLAUSAL:
            return False
        if word.dep == "ROOT":
            return True
        if word.dep == "conj" and not is_head[word.head]:
            return False
        if word.dep == "conj" and self.subject(word) is None:
            return word.tag in _VERBAL and self.words[word.head].tag in _VERBAL
        return self.subject(word) is not None and (word.dep != "ccomp" or self.tensed(word) or word.tag not in _VERBAL)

    def owner(self, word: Word) -> int:
        """The index of the head whose clause a word belongs to."""
        return self._owner[word.index]

    def downwards(self) -> list[Word]:
        """Every word after the word it hangs on."""
        order = [word for word in self.words if word.head == word.index]
        for word in order:
            order.extend(self.children[word.index])
        return order


def _is_joint(word: Word) -> bool:
    return word.dep in {"punct", "cc"} or not any(char.isalnum() for char in word.shape)


def _around(own: list[Word], head: Word, heads: set[int]) -> list[Word]:
    """The stretch of a clause's words around its head, not reaching over another clause's head."""
    at = next((place for place, word in enumerate(own) if word.index == head.index), 0)
    first = last = at
    while first > 0 and not any(index in heads for index in range(own[first - 1].index + 1, own[first].index)):
        first -= 1
    while last + 1 < len(own) and not any(index in heads for index in range(own[last].index + 1, own[last + 1].index)):
        last += 1
    return own[first : last + 1]
