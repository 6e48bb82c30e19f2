"""Words are compared by the embeddings of a model where there is one, and by spelling where it fails."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from jupyter_mcpgen.errors import ModelDown
from jupyter_mcpgen.pipeline.similarity import BY_SPELLING, MeaningSimilarity, Vector, WordSimilarity

VECTORS: Mapping[str, Vector] = {
    "asked": (1.0, 0.0),
    "same": (2.0, 0.0),
    "half": (1.0, 3**0.5),
    "unlike": (0.0, 1.0),
    "opposite": (-1.0, 0.0),
}


@dataclass
class Fixed:
    """Gives fixed vectors and notes what it was sent; it is down where it has none."""

    known: Mapping[str, Vector] = field(default_factory=lambda: VECTORS)
    name: str = "fixed"
    identity: str = "here fixed"
    sent: list[list[str]] = field(default_factory=list)

    def vectors(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Note the texts and look their vectors up."""
        self.sent.append(list(texts))
        if not self.known:
            raise ModelDown("http://localhost:1", "nothing listens there")
        return [self.known[text] for text in texts]


@dataclass
class Shelf:
    """Keeps vectors in memory."""

    kept: dict[tuple[str, str], Vector] = field(default_factory=dict)

    def vectors(self, model: str, texts: Collection[str]) -> Mapping[str, Vector]:
        """Return those that are kept."""
        return {text: self.kept[model, text] for text in texts if (model, text) in self.kept}

    def keep_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Keep them."""
        self.kept.update({(model, text): vector for text, vector in vectors.items()})


def test_texts_are_as_alike_as_the_cosine_of_their_embeddings() -> None:
    found = MeaningSimilarity(Fixed(), Shelf()).between("asked", ["same", "half", "unlike", "opposite", ""])

    assert found.shares == [1.0, pytest.approx(0.5), 0.0, 0.0, None]
    assert (found.method, found.trouble) == ("by the embeddings of `fixed`", "")


def test_what_a_tool_is_described_in_is_sent_once_and_the_question_each_time() -> None:
    model, shelf = Fixed(), Shelf()

    MeaningSimilarity(model, shelf).between("asked", ["same", "half", "same"])
    found = MeaningSimilarity(model, shelf).between("asked", ["same", "unlike"])

    assert model.sent == [["asked", "half", "same"], ["asked", "unlike"]]
    assert found.shares == [1.0, 0.0]


def test_the_vectors_of_another_model_are_not_used() -> None:
    shelf, other = Shelf(), Fixed({"asked": (0.0, 1.0), "same": (1.0, 0.0)}, identity="there fixed")
    MeaningSimilarity(Fixed(), shelf).between("asked", ["same"])

    found = MeaningSimilarity(other, shelf).between("asked", ["same"])

    assert found.shares == [0.0]


def test_kept_vectors_of_another_length_are_asked_for_anew() -> None:
    shelf, replaced = Shelf(), Fixed({"asked": (1.0, 0.0, 0.0), "same": (1.0, 0.0, 0.0), "half": (0.0, 1.0, 0.0)})
    MeaningSimilarity(Fixed(), shelf).between("asked", ["same"])

    found = MeaningSimilarity(replaced, shelf).between("asked", ["same", "half"])
    again = MeaningSimilarity(replaced, shelf).between("asked", ["same", "half"])

    assert found == again
    assert found.shares == [1.0, 0.0]
    assert replaced.sent == [["asked", "half"], ["asked", "half", "same"], ["asked"]]


def test_where_the_model_gives_none_spelling_is_compared_and_the_reason_is_told() -> None:
    found = MeaningSimilarity(Fixed({}), Shelf()).between("total crates", ["crates total"])

    assert found.shares == WordSimilarity().between("total crates", ["crates total"]).shares
    assert found.method == BY_SPELLING
    assert found.trouble.startswith("No model server answers at `http://localhost:1`")


@pytest.mark.parametrize(("asked", "told"), [("asked", []), ("asked", [""]), ("", ["same"])])
def test_nothing_is_sent_where_there_is_nothing_to_compare(asked: str, told: list[str]) -> None:
    model = Fixed()

    found = MeaningSimilarity(model, Shelf()).between(asked, told)

    assert list(found.shares) == [None] * len(told)
    assert model.sent == []
