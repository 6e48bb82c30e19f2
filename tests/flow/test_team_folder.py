"""A registry that a team shares with git: the work of two people merges, and what nobody trusted stays inert."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import TamperedTool, UnknownTool
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.signatures import Keys
from jupyter_mcpgen.registry.store import Registry
from tests import builders

GIT = ("git", "-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "init.defaultBranch=main")


def git(folder: Path, *words: str, conflicts: bool = False) -> str:
    done = subprocess.run([*GIT, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == int(conflicts), done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True)
class Member:
    """One person of a team: their clone, and their key."""

    clone: Path
    keys: Keys

    @property
    def registry(self) -> Registry:
        """Open the clone as their product does."""
        return Registry(self.clone, keys=self.keys, shared=True)

    def promotes(self, name: str, body: str = "return column", version: str = "1.0.0") -> None:
        """Approve a tool, or a version of it."""
        draft = builders.draft(name, f"{name}-{version.replace('.', '')}", version, body=body)
        registry = self.registry
        registry.stage(*draft.parts)
        registry.promote(draft.tool_id, builders.approval(draft), builders.approved())

    def commits(self) -> None:
        """Commit everything."""
        git(self.clone, "add", "--all")
        git(self.clone, "commit", "--quiet", "--message", "work")

    def names(self) -> list[str]:
        """Return the active tools."""
        return [tool.name for tool in self.registry.active()]


Join = Callable[..., Member]


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    (tmp_path / "origin").mkdir()
    git(tmp_path / "origin", "init", "--quiet", "--bare")
    return tmp_path / "origin"


@pytest.fixture
def join(tmp_path: Path, origin: Path) -> Join:
    def joins(name: str, *trusted: Member) -> Member:
        clone = tmp_path / name
        git(tmp_path, "clone", "--quiet", str(origin), str(clone))
        known = frozenset(each.keys.public for each in trusted)
        return Member(clone, Keys(tmp_path / f"{name}-keys", known, required=True))

    return joins


@pytest.fixture
def team(join: Join) -> tuple[Member, Member]:
    """Return two people who trust each other, each with a clone of a registry that has one tool."""
    first = join("ada")
    first.promotes("shared_tool")
    first.commits()
    git(first.clone, "push", "--quiet", "origin", "HEAD:main")
    git(first.clone, "fetch", "--quiet", "origin")
    second = join("bo", first)
    git(second.clone, "checkout", "--quiet", "main")
    return Member(first.clone, Keys(first.keys.folder, frozenset({second.keys.public}), required=True)), second


def test_what_two_people_promote_at_once_merges_without_a_conflict(team: tuple[Member, Member]) -> None:
    ada, bo = team
    bo.registry.rebuild()
    ada.promotes("from_ada")
    bo.promotes("from_bo")
    ada.registry.unpublish("shared_tool", "ada")
    for member in team:
        member.commits()
    git(ada.clone, "push", "--quiet", "origin", "HEAD:main")

    git(bo.clone, "fetch", "--quiet", "origin")
    git(bo.clone, "merge", "--no-edit", "origin/main")  # a conflict would end it

    assert bo.registry.problems() != ()  # nothing is taken up unasked
    bo.registry.rebuild()
    assert bo.names() == ["from_ada", "from_bo"]
    assert bo.registry.problems() == ()
    assert bo.registry.doctor().ok
    told = {(entry.action, entry.tool_name) for entry in bo.registry.audit.entries()}
    assert {("PROMOTED", "from_ada"), ("PROMOTED", "from_bo"), ("UNPUBLISHED", "shared_tool")} <= told
    assert len(list(Layout(bo.clone).audits.glob("*.jsonl"))) == 2


@pytest.mark.one_in(2)
@pytest.mark.parametrize("whose", ["--ours", "--theirs"])
def test_of_a_tool_that_two_people_changed_one_version_is_kept_whole(team: tuple[Member, Member], whose: str) -> None:
    ada, bo = team
    bo.registry.rebuild()
    ada.promotes("shared_tool", "return file_path", "1.0.1")
    bo.promotes("shared_tool", "return column + file_path", "1.0.1")
    mine, hers = (member.registry.tool("shared_tool").fingerprint for member in (bo, ada))
    for member in team:
        member.commits()
    git(ada.clone, "push", "--quiet", "origin", "HEAD:main")
    git(bo.clone, "fetch", "--quiet", "origin")

    told = git(bo.clone, "merge", "--no-edit", "origin/main", conflicts=True)

    assert "CONFLICT" in told
    assert "active/tools/shared_tool" in told
    assert bo.registry.tool("shared_tool").fingerprint == mine  # it runs on, before anything is settled
    git(bo.clone, "checkout", whose, "--", "active/tools/shared_tool")
    bo.commits()
    bo.registry.rebuild("bo", ["shared_tool"])
    assert bo.registry.tool("shared_tool").fingerprint == (mine if whose == "--ours" else hers)
    assert bo.registry.problems() == ()


def test_only_lists_and_what_belongs_to_one_machine_stay_out_of_version_control(team: tuple[Member, Member]) -> None:
    ada, _ = team
    draft = builders.draft("waiting", "waiting-1")
    ada.registry.stage(*draft.parts)

    tracked = git(ada.clone, "ls-files").split()

    assert "active/tools/shared_tool/approval.json" in tracked
    assert [name for name in tracked if name.startswith("staging") or name.endswith("metadata.json")] == []
    assert git(ada.clone, "status", "--porcelain") == ""


def test_a_tool_of_somebody_whom_nobody_trusts_stays_inert_and_is_told_with_their_key(
    team: tuple[Member, Member], join: Join
) -> None:
    ada, _ = team
    stranger = join("stranger", ada)
    git(stranger.clone, "checkout", "--quiet", "main")
    stranger.registry.rebuild()
    stranger.promotes("planted")
    stranger.commits()
    git(ada.clone, "pull", "--quiet", "--no-rebase", "--no-edit", str(stranger.clone), "main")
    ada.registry.rebuild()

    assert ada.names() == ["shared_tool"]
    with pytest.raises(UnknownTool):
        ada.registry.tool("planted")
    (problem,) = ada.registry.problems()
    assert "`active/tools/planted` came from elsewhere and is not used" in problem
    assert stranger.keys.public in problem


def test_a_hostile_commit_changes_nothing_that_runs(team: tuple[Member, Member]) -> None:
    """Changed code, an approval without its signature, a log that tells lies, and a list that names all of it."""
    ada, bo = team
    bo.registry.rebuild()
    tool = bo.clone / "active" / "tools" / "shared_tool"
    code = (tool / "tool.py").read_text()
    (tool / "tool.py").write_text(code + "\nimport os\n")
    unsigned = bo.clone / "active" / "tools" / "unsigned"
    draft = builders.draft("unsigned", "unsigned-1")
    alone = Registry(bo.clone.parent / "alone")
    alone.stage(*draft.parts)
    alone.promote(draft.tool_id, builders.approval(draft), builders.approved())
    Layout(alone.root).tool("unsigned").rename(unsigned)
    (bo.clone / "audit" / "nobody.jsonl").write_text('{"action": "PROMOTED"}\n')
    listed = json.loads((alone.root / "active" / "metadata.json").read_text())
    (bo.clone / "active" / "metadata.json").write_text(json.dumps(listed))
    git(bo.clone, "add", "--all", "--force")
    git(bo.clone, "commit", "--quiet", "--message", "work")
    (ada.clone / "active" / "metadata.json").unlink()  # as in a fresh clone, which has none
    git(ada.clone, "pull", "--quiet", "--no-rebase", "--no-edit", str(bo.clone), "main")

    with pytest.raises(TamperedTool, match="its approval is not signed"):
        ada.registry.tool("unsigned")
    ada.registry.rebuild()

    assert ada.names() == []
    told = "\n".join(ada.registry.problems())
    assert "`tool.py` was changed" in told
    assert "its approval is not signed" in told
    assert any("`nobody.jsonl`" in problem for problem in ada.registry.doctor().audit)


def test_what_was_taken_out_of_use_or_replaced_comes_back_by_its_name_only(team: tuple[Member, Member]) -> None:
    """A peer moves folders whose signatures hold, and a log of their own says that it was decided so."""
    ada, bo = team
    bo.registry.rebuild()
    ada.registry.unpublish("shared_tool", "ada")
    archived = next((ada.clone / "archive" / "superseded").iterdir())
    shutil.copytree(archived, ada.clone / "active" / "tools" / "shared_tool")
    lines = [entry.replace(at="2099-01-01T00:00:00Z").line for entry in ada.registry.audit.entries()[:1]]
    (ada.clone / "audit" / "bbbb.jsonl").write_text("".join(f"{line}\n" for line in lines))

    ada.registry.rebuild()

    assert ada.names() == []
    assert "`rebuild shared_tool`" in ada.registry.problems()[0]
    ada.registry.rebuild("ada", ["shared_tool"])
    assert ada.names() == ["shared_tool"]


def test_a_planted_candidate_waits_for_nobody(team: tuple[Member, Member], tmp_path: Path) -> None:
    ada, _ = team
    mine, planted = builders.draft("mine", "mine-1"), builders.draft("planted", "planted-1")
    ada.registry.stage(*mine.parts)
    elsewhere = Registry(tmp_path / "elsewhere")
    elsewhere.stage(*planted.parts)
    place = Layout(ada.clone).candidate("planted-1", "1.0.0")
    Layout(elsewhere.root).candidate("planted-1", "1.0.0").rename(place)

    ada.registry.rebuild()

    assert [each.tool_id for each in ada.registry.staged()] == ["mine-1"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("odd", ["link", "folder", "pipe"])
def test_an_odd_file_among_the_logs_is_told_and_stops_nothing(team: tuple[Member, Member], odd: str) -> None:
    ada, _ = team
    place = ada.clone / "audit" / "zz.jsonl"
    if odd == "link":
        place.symlink_to("/etc/hostname")
    elif odd == "folder":
        place.mkdir()
    else:
        os.mkfifo(place)

    assert ada.registry.predecessor("never_seen") is None
    assert [entry.tool_name for entry in ada.registry.audit.entries()] == ["shared_tool"]
    (problem,) = ada.registry.audit.verify()
    assert problem.startswith("The log `zz.jsonl` cannot be read")


@pytest.mark.soak
def test_a_terminal_takes_up_what_was_pulled(team: tuple[Member, Member], tmp_path: Path) -> None:
    ada, bo = team
    ada.promotes("from_ada")
    ada.commits()
    git(bo.clone, "pull", "--quiet", str(ada.clone), "HEAD")
    state = tmp_path / "data"
    (state / "mcpgen").mkdir(parents=True)
    (state / "mcpgen" / "keys").symlink_to(bo.keys.folder)
    environment = {
        **os.environ,
        "JUPYTER_DATA_DIR": str(state),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
        "MCPGEN_REGISTRY__PATH": str(bo.clone),
        "MCPGEN_REGISTRY__SHARED": "true",
        "MCPGEN_REGISTRY__TRUSTED_SIGNERS": ada.keys.public,
        "COLUMNS": "200",
    }

    def typed(*words: str) -> str:
        command = [sys.executable, "-m", "jupyter", "mcpgen", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return " ".join((done.stdout + done.stderr).split())

    assert "from_ada v1.0.0 came from elsewhere. jupyter mcpgen rebuild takes it up" in typed("list")
    assert f"from_ada v1.0.0, approved by ada, signed with the key {ada.keys.public[:12]}…" in typed("rebuild")
    assert "There is nothing new." in typed("rebuild")
    assert "came from elsewhere" not in typed("list")
