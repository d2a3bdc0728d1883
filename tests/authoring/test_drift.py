"""The stored notebooks and the README are what their sources say. Nothing is executed here: nbval does that once."""

from nwlab.authoring.build import Sources, check
from nwlab.authoring.project import Project


def test_make_build_would_change_nothing_but_outputs(root):
    problems = check(Project(root))
    assert not problems, "\n".join(["run `make build`:", *problems])


def test_there_are_lessons(root):
    """An empty folder would pass the test above."""
    lessons = Sources(Project(root)).lessons
    assert [lesson.name for lesson in lessons][:1] == ["00_start_here"]
    assert [lesson.name[:2] for lesson in lessons] == [f"{number:02}" for number in range(len(lessons))]
