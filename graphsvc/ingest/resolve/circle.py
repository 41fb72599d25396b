"""Tell namesakes apart by their circle: who is written to, who takes part, which organisation, whom they go with.

Each kind of evidence is asked in turn, the surest first, and decides only when it points at
exactly one of them. What nothing decides stays undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from graphsvc.models.base import EntityId
from graphsvc.models.graph import Entity, Node, NodeKind
from graphsvc.models.memory import Party
from graphsvc.store.base import EdgeDirection, Store
from graphsvc.store.filters import eq

# Domains where an address says nothing of an employer.
PUBLIC_MAIL = frozenset(
    {
        "126.com",
        "163.com",
        "aol.com",
        "foxmail.com",
        "gmail.com",
        "gmx.de",
        "hotmail.com",
        "icloud.com",
        "live.com",
        "mail.com",
        "mail.ru",
        "me.com",
        "outlook.com",
        "proton.me",
        "protonmail.com",
        "qq.com",
        "sina.com",
        "sohu.com",
        "yahoo.com",
        "yandex.ru",
        "yeah.net",
    }
)
_TURNS = 50
_MEMORIES = 20
_ENTITIES = 20
# Beyond so many bearers, looking up the company of each would cost more than it could tell.
_FEW = 12


def employer(address: str) -> tuple[str, str] | None:
    """The domain of an address and the name it bears; none for public mail providers."""
    domain = address.rpartition("@")[2] if "@" in address else ""
    labels = domain.split(".")
    if len(labels) < 2 or domain in PUBLIC_MAIL:
        return None
    short = len(labels) > 2 and len(labels[-2]) <= 3  # co.uk, com.cn
    return domain, labels[-3] if short else labels[-2]


@dataclass(frozen=True, slots=True)
class Scene:
    """What surrounds a name: the memory's parties, its conversation, and who was named before in its text."""

    parties: Sequence[Party]
    sender: EntityId | None
    conversation: str | None
    named: frozenset[EntityId]


@dataclass(slots=True)
class Circle:
    """The company entities keep, as the store knows it and as the batch at hand adds to it."""

    store: Store
    namespace: str
    _taking_part: dict[str, set[EntityId]] = field(default_factory=dict)
    _met: dict[EntityId, set[EntityId]] = field(default_factory=dict)

    def learn(self, scene: Scene, entities: Iterable[EntityId]) -> None:
        """Remember who was together in one memory of the batch."""
        together = set(entities)
        for one in together:
            self._met.setdefault(one, set()).update(together - {one})
        if scene.conversation is not None:
            self.taking_part(scene.conversation).update(party.entity for party in scene.parties)

    def choose(self, bearers: Sequence[Entity], scene: Scene) -> Entity | None:
        """The one bearer that the scene points at, if it points at one."""
        for points in self._evidence(scene):
            found = [one for one in bearers if points(one)]
            if len(found) == 1:
                return found[0]
        company = scene.named | {party.entity for party in scene.parties}
        if not company or len(bearers) > _FEW:
            return None
        kept = self._company([one.id for one in bearers])
        found = [one for one in bearers if kept[one.id] & (company - {one.id})]
        return found[0] if len(found) == 1 else None

    def taking_part(self, conversation: str) -> set[EntityId]:
        """Parties of a conversation's last memories."""
        known = self._taking_part.get(conversation)
        if known is None:
            page = self.store.page(self.namespace, eq("conversation_id", conversation), limit=_TURNS)
            known = {party.entity for memory in page.memories for party in memory.parties}
            self._taking_part[conversation] = known
        return known

    def _evidence(self, scene: Scene) -> Iterator[Callable[[Entity], bool]]:
        """Tests in order of trust; people rarely name themselves, so a sender is company, not the one meant."""
        yield lambda one: one.id in scene.named
        addressed = {party.entity for party in scene.parties} - {scene.sender}
        yield lambda one: one.id in addressed
        if scene.conversation is not None:
            present = self.taking_part(scene.conversation) - {scene.sender}
            yield lambda one: one.id in present
        domains = {found[0] for party in scene.parties if (found := employer(party.entity)) is not None}
        yield lambda one: (found := employer(one.id)) is not None and found[0] in domains

    def _company(self, entities: Sequence[EntityId]) -> dict[EntityId, set[EntityId]]:
        """Whom or what each was named together with: two steps in the graph, bounded."""
        nodes = {one: Node(NodeKind.ENTITY, one) for one in entities}
        at = self.store.edges(self.namespace, list(nodes.values()), direction=EdgeDirection.IN, per_node=_MEMORIES)
        memories = {
            one: [edge.source for edge in at.get(node, ()) if edge.source.kind is NodeKind.MEMORY]
            for one, node in nodes.items()
        }
        every = list(dict.fromkeys(memory for some in memories.values() for memory in some))
        found = self.store.edges(self.namespace, every, direction=EdgeDirection.OUT, per_node=_ENTITIES)
        company = {}
        for one, some in memories.items():
            ends = {edge.target for memory in some for edge in found.get(memory, ())}
            stored = {EntityId(end.id) for end in ends if end.kind is NodeKind.ENTITY}
            company[one] = (stored | self._met.get(one, set())) - {one}
        return company
