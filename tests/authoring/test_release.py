"""The students' edition has what students need and nothing else, twice the same, and in a repository of its own."""
import pytest

from nwlab.course import COURSE
from workbook.authoring.links import links_in
from workbook.authoring.project import BuildError, Project
from workbook.authoring.release import release


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(folder).parts}


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "out"
    release(Project.find(COURSE), folder)
    return folder


def test_no_solution_no_source_and_no_test_is_in_it(out):
    project, files = Project.find(COURSE), contents(out)
    assert not any(name.startswith(("solutions/", "tests/", "notebooks/source/")) for name in files)
    assert {f"exercises/{path.name}" for path in project.exercises.glob("*.ipynb")} <= set(files)
    solved = [path.read_text() for path in project.solutions.glob("*.ipynb")]
    assert all(text not in data.decode(errors="replace") for text in solved for data in files.values())
    links = {target for _, target in links_in(files["README.md"].decode()) if "://" not in target}
    assert links and links <= set(files)


def test_it_is_the_same_twice_and_leaves_a_repository_and_strange_files_alone(out, tmp_path):
    project, before = Project.find(COURSE), contents(out)
    (out / ".git").mkdir()
    (out / ".git" / "config").write_text("mine")
    (out / "notebooks/old.ipynb").write_text("of an earlier release")
    release(project, out)
    assert contents(out) == before and (out / ".git" / "config").read_text() == "mine"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("x")
    with pytest.raises(BuildError, match="other files"):
        release(project, tmp_path / "mine")
    assert contents(tmp_path / "mine") == {"thesis.txt": b"x"}
