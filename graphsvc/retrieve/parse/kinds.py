"""Which type of question it is: by wording where a rule fires, else by the head over the question's vector.

Whole sentences show their type by closed words; of elliptical ones ("rent now", 师傅电话) the head
knows more. What neither is sure of stays general.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.retrieve.parse.type_head import SHIPPED, TypeHead, read_head
from graphsvc.retrieve.parse.wording import GENERAL
from ontology.model import Ontology

# Below it the head is wrong more often than right (measured on the held-out questions of its card).
SURE = 0.4


@dataclass(frozen=True, slots=True)
class KindReader:
    """Tells the query type of a question; without a head by wording alone."""

    head: TypeHead | None = None

    @classmethod
    def of(cls, encoder: Encoder, path: Path = SHIPPED) -> KindReader:
        """With the head at `path`, where it was taught with this encoder."""
        head = read_head(path)
        return cls(head if head is not None and head.reads(encoder) else None)

    def read(self, text: str, vector: FloatArray | None, ontology: Ontology) -> tuple[str, float]:
        """The id of the query type, and how sure that is; 1 where a rule gave it.

        `vector` is the question's unit vector, float32 `(d,)`, absent while the encoder is out of reach.
        """
        worded = ontology.query_types_of(text)
        if worded:
            return worded[0].id, 1.0
        if self.head is None or vector is None or not text.strip():
            return GENERAL, 1.0
        kind, probability = self.head.likeliest(vector, text)
        if probability < SURE or ontology.query_type(kind) is None:
            return GENERAL, round(1.0 - probability, 4)
        return kind, round(probability, 4)
