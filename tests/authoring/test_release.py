"""The students' edition has what students need and nothing else, twice the same, and in a repository of its own."""
import pytest

from workbook.authoring.links import links_in
from workbook.authoring.project import BuildError
from workbook.authoring.release import release


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(folder).parts}


def test_no_solution_no_source_and_no_test_is_in_it_and_a_second_one_is_the_same(tmp_path, sources, monkeypatch):
    monkeypatch.setattr("workbook.authoring.release.Sources", lambda project: sources)
    out, project = tmp_path / "out", sources.project
    release(project, out)
    files = contents(out)
    assert not any(name.startswith(("solutions/", "tests/", "notebooks/source/")) for name in files)
    assert {f"exercises/{path.name}" for path in project.exercises.glob("*.ipynb")} <= set(files)
    solved = [path.read_text() for path in project.solutions.glob("*.ipynb")]
    assert all(text not in data.decode(errors="replace") for text in solved for data in files.values())
    links = {target for _, target in links_in(files["README.md"].decode()) if "://" not in target}
    assert links and links <= set(files)
    (out / ".git").mkdir()
    (out / ".git" / "config").write_text("mine")
    (out / "notebooks/old.ipynb").write_text("of an earlier release")
    release(project, out)
    assert contents(out) == files and (out / ".git" / "config").read_text() == "mine"


def test_a_folder_with_other_files_is_left_alone(tmp_path, sources):
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(BuildError, match="other files"):
        release(sources.project, tmp_path)
    assert contents(tmp_path) == {"thesis.txt": b"x"}
