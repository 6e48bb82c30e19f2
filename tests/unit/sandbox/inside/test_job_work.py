"""The work of a job survives the way into it, and a document that is none is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.inside.fields import Fields
from jupyter_mcpgen.sandbox.inside.job_work import JobWork
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.jobs.work import work_of
from jupyter_mcpgen.sandbox.policy import Policy

WORK = JobWork("/package", "tool", ({"path": "a.csv", "top": 3, "by": ["x"], "where": None}, {}), ("/lib",), ("scipy",))


@pytest.mark.parametrize("work", [WORK, WORK._replace(calls=(), paths=(), modules=()), WORK._replace(modules=None)])
def test_the_work_survives_the_way_into_the_job(work: JobWork) -> None:
    assert JobWork.from_fields(Fields.decoded(json.dumps(work._asdict()).encode())) == work


@pytest.mark.parametrize(
    "wrong", [{"calls": [1]}, {"calls": {}}, {"paths": [1]}, {"modules": "scipy"}, {"function": None}, {"package": 1}]
)
def test_another_document_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=f"`{next(iter(wrong))}` was expected to be"):
        JobWork.from_fields(Fields({**WORK._asdict(), **wrong}))


def test_a_job_is_told_what_its_policy_lets_it_import() -> None:
    job = Job(Path("/elsewhere"), "tool", (Call({"a": 1}),))
    policy = Policy(modules=frozenset(("scipy", "pandas")))

    told = work_of(job, "/p", policy, [Path("/lib")])

    assert told == JobWork("/p", "tool", ({"a": 1},), ("/lib",), ("pandas", "scipy"))
