"""What the planner refuses or asks back names the model as a way on, and says it once."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from jupyter_mcpgen.answer import Answer, answer_to
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.authors.way_on import PlannerAlone, WayOn
from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.runtime import Runtime

SHEDS = pd.DataFrame({"yard": ["N", "S", "S"], "dry_tons": [3.0, 1.5, 2.0], "wet_tons": [1.0, 4.0, 2.5]})
ADD = "`%mcpgen model` says how to add one."


def asked(runtime: Runtime, question: str) -> Answer:
    return answer_to(runtime, question, runtime.reference("sheds", SHEDS), variables={"sheds": SHEDS})


def test_without_a_model_the_first_refusal_says_how_to_add_one_and_no_later_one_does(runtime: Runtime) -> None:
    first = asked(runtime, "whose grandmother sings")
    second = asked(runtime, "whose grandfather sings")

    assert first.refusal is not None
    assert second.refusal is not None
    assert first.refusal.endswith(ADD)
    assert ADD not in second.refusal


def test_a_question_back_says_it_too_on_every_face(runtime: Runtime) -> None:
    answer = asked(runtime, "total tons by yard")

    assert answer.question is not None, answer
    assert answer.question.endswith(ADD)
    assert answer.question_back is not None
    assert ADD in answer.question_back.way_on
    assert ADD in answer.mime_bundle()["text/markdown"]


def test_an_answer_says_nothing_of_models(runtime: Runtime) -> None:
    asked(runtime, "total dry_tons by yard")

    assert not runtime.way_on.is_told


def test_who_chose_the_planner_alone_is_told_that_the_model_was_left_out(runtime: Runtime) -> None:
    alone = PlannerAlone(EmbeddedAuthor(), WayOn(), has_model=True)
    vars(runtime)["services"] = replace(runtime.services, author=alone)

    for _ in range(2):
        with pytest.raises(NotUnderstood, match="without `--author planner` the model reads this too"):
            runtime.ask("whose grandmother sings", runtime.reference("sheds", SHEDS))
