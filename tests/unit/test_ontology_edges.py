"""What the code draws, the ontology describes."""

from __future__ import annotations

from graphsvc.models.graph import ROLE_EDGES, EdgeType
from ontology.loader import load_ontology

ONTOLOGY = load_ontology()


def test_every_edge_type_the_code_draws_is_described() -> None:
    assert {edge.id for edge in ONTOLOGY.edge_types} >= set(EdgeType)


def test_only_edges_without_a_direction_are_symmetric() -> None:
    symmetric = {edge.id for edge in ONTOLOGY.edge_types if edge.symmetric}
    assert symmetric == {EdgeType.CONTRADICTS, EdgeType.SAME_TOPIC}


def test_a_person_carries_less_than_the_memory_that_replaces_another() -> None:
    replaced = ONTOLOGY.edge_type(EdgeType.SUPERSEDES)
    assert replaced is not None
    for role in ROLE_EDGES:
        described = ONTOLOGY.edge_type(role)
        assert described is not None
        assert described.decay < replaced.decay
