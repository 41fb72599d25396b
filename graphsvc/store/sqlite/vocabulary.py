"""The port of words over the memory side: the BM25 index knows every token and how many memories hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graphsvc.store.sqlite.partition import View
from graphsvc.store.vocabulary import Vocabulary


class SqliteWords:
    """`view_of` gives a namespace's memory side as last committed."""

    def __init__(self, view_of: Callable[[str], View]) -> None:
        self._view_of = view_of

    def known(self, namespace: str, tokens: Iterable[str]) -> dict[str, int]:
        return self._view_of(namespace).words.known(tokens)

    def vocabulary(self, namespace: str) -> Vocabulary:
        # The index is made anew when much was deleted or vectors changed; its words then come in another order.
        index = self._view_of(namespace).words
        words, counts = index.everything()
        return Vocabulary(edition=index.edition, words=words, counts=counts)
