"""``python -m COURSE``: open the workbook, build its notebooks and its site, check its links, grade a class."""

import contextlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

try:
    import click
except ModuleNotFoundError as error:
    raise SystemExit(f"the commands need {error.name}: run `make lab` once, or `pip install -e '.[live]'`") from None

from workbook.course import Course


def commands(course: Course) -> click.Group:
    """All that `python -m COURSE` understands."""
    return click.Group(course.package, COMMANDS, help=course.about,
                       context_settings={"help_option_names": ["-h", "--help"], "obj": course})


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def lab(course: Course, arguments: tuple[str, ...]) -> None:
    """Open JupyterLab on the first notebook; ARGUMENTS go to `jupyter lab` as they are."""
    with plain_errors(course) as project:
        first = f"notebooks/{course.first}.ipynb"
        if not (project.root / first).is_file():
            raise SystemExit(f"{first} is missing in {project.root}: restore it, or run `make build`")
    if importlib.util.find_spec("jupyterlab") is None:
        raise SystemExit('JupyterLab is not installed here: run `make lab`, or `pip install -e ".[lab]"`')
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={project.root}",
               f"--LabApp.default_url=/lab/tree/{first}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container one is root, and JupyterLab would refuse to start
    command += arguments
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # matrices as small as ours gain nothing from more, and on a busy
    os.chdir(project.root)                         # machine threads that wait for each other take many times as long
    if os.name == "posix":
        os.execv(command[0], command)  # JupyterLab takes this process's place: Ctrl-C and kill reach it, and only it
    with contextlib.suppress(KeyboardInterrupt):
        raise SystemExit(subprocess.call(command))


@click.command()
@click.argument("names", nargs=-1)
@click.option("--check", is_flag=True, help="Run it all, write nothing, and say what would change apart from outputs.")
@click.pass_obj
def build(course: Course, names: tuple[str, ...], check: bool) -> None:
    """Make the notebooks from their sources and run them; NAMES like 01_averages limit it to these."""
    with plain_errors(course) as project:
        from workbook.authoring.build import build as build_all
        from workbook.authoring.build import check as check_all

        if not check:
            build_all(project, names, say=click.echo, bar=_bar)
            return
        problems = check_all(project, names)
    _report(problems, "run `make build` to build them again", "the notebooks and the README match their sources")


@click.command()
@click.option("--repo", metavar="OWNER/NAME", help="Check nothing; print links and badges that open each notebook of "
              "this repository live. Also its whole address, if it is not on GitHub.")
@click.option("--hub", default="", metavar="URL", help="With --repo: a JupyterHub with nbgitpuller, for its links.")
@click.pass_obj
def links(course: Course, repo: str | None, hub: str) -> None:
    """Check that every link in the README and the notebooks leads somewhere; or, with --repo, print launch links."""
    with plain_errors(course) as project:
        from workbook.authoring.links import all_links, broken_links, launch_links

        if repo:
            project.address = repo if "://" in repo else f"https://github.com/{repo}"
            click.echo("\n".join(launch_links(project, hub)))
            return
        problems, count = broken_links(project), len(list(all_links(project)))
    _report(problems, f"{len(problems)} of {count} links lead nowhere", f"all {count} links lead somewhere")


@click.command()
@click.argument("beginnings", nargs=-1)
@click.option("--measure", is_flag=True, help="Run the tests too, and show what they measure now.")
@click.option("--first-seed", default=1000, show_default=True, help="The first of the samples that the tests draw.")
@click.pass_obj
def claims(course: Course, beginnings: tuple[str, ...], measure: bool, first_seed: int) -> None:
    """List what the lessons claim: sentence, test and figure; BEGINNINGS like 02 or 02-boxcar limit it to these."""
    with plain_errors(course) as project:
        from workbook.authoring.claims import ledger, measured

        pairs = [pair for pair in ledger(project) if pair[0].id.startswith(beginnings or "")]
        now = measured(project, [proof for _, proof in pairs], first_seed) if measure else {}
    for claim, proof in pairs:
        click.secho(claim.id, bold=True)
        click.echo(f"  {claim.sentence}\n  {project.relative(claim.path)}:{claim.line}\n"
                   f"  {project.relative(proof.path)}::{proof.name}\n  figure: {proof.figure}")
        if measure:
            click.echo(f"  now: {now[proof]}")
    click.echo(f"{len(pairs)} claims, each with a test")


@click.command()
@click.argument("name")
@click.option("--out", required=True, type=click.Path(dir_okay=False, writable=True), help="The HTML file to write.")
@click.option("--width", default=900, show_default=True, help="Of the picture, in pixels.")
@click.pass_obj
def figure(course: Course, name: str, out: str, width: int) -> None:
    """Record the live figure NAME into one HTML file, for a course page or slides: it plays without a kernel."""
    with plain_errors(course) as project:
        from workbook.site.page import page

        click.echo(f"recording {name}: this takes a minute or two", err=True)
        try:
            text = page(course, name, width, project=project)
        except ValueError as error:
            raise SystemExit(str(error)) from None
        with open(out, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    click.echo(f"{out}: {name}, {len(text) / 1e6:.2f} MB")


@click.command()
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder to write.")
@click.option("--hub", default="", metavar="URL", help="A JupyterHub that shall have a launch button too.")
@click.pass_obj
def site(course: Course, out: Path, hub: str) -> None:
    """Write all pages into a folder for any web server: figures that move, questions that answer, and no kernel."""
    with plain_errors(course) as project:
        from workbook.site.site import build as build_site

        build_site(project, out, hub=hub, say=click.echo)


@click.command()
@click.argument("submissions", type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder of the report.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, help="Notebooks at a time.")
@click.option("--cell-timeout", default=30.0, show_default=True, help="Seconds for one cell.")
@click.option("--timeout", default=300.0, show_default=True, help="Seconds for one notebook.")
@click.option("--memory", default=2048, show_default=True, help="Mebibytes for one notebook.")
@click.option("--seed", type=click.IntRange(0), help="Of the problems; by default a secret one, kept in the report.")
@click.option("--resume", "again", flag_value="resume", help="Go on: what is graded in the same state is kept.")
@click.option("--force", "again", flag_value="force", help="Begin anew: earlier results are deleted.")
@click.option("--sandbox", default="auto", type=click.Choice(["auto", "require", "off"]), show_default=True,
              help="Where bubblewrap does not work, auto says what is not protected, and asks at a terminal whether to "
              "go on; require never asks and ends with an error; off does without it.")
@click.option("--dask", default="", metavar="ADDRESS", help="Run the jobs on a Dask cluster.")
@click.option("--anonymous", is_flag=True, help="Answers in words stand under code names.")
@click.pass_obj
def grade(course, submissions, out, jobs, cell_timeout, timeout, memory, **options) -> None:
    """Grade the exercises in the folder SUBMISSIONS into a report: only their answers are run, behind walls."""
    with plain_errors(course) as project:
        from workbook.grading import command
        from workbook.grading.sandbox import Limits, MEGABYTE

        limits = Limits(cell_timeout, timeout, memory * MEGABYTE)
        command.grade(course, submissions, out, project.root / "exercises", jobs, limits, **options)


@click.command()
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder to write.")
@click.pass_obj
def release(course: Course, out: Path) -> None:
    """Write the students' edition of the workbook into a folder: no solutions, no sources, no tests."""
    with plain_errors(course) as project:
        from workbook.authoring.release import release as write

        click.echo(f"{out}: {write(project, out)} files")


@contextlib.contextmanager
def plain_errors(course: Course):
    """Yields the checkout. What an author or a student can mend becomes one line and exit code 1; a bug keeps its
    traceback."""
    from workbook.authoring.project import BuildError, Project

    try:
        yield Project.find(course)
    except BuildError as error:
        raise SystemExit(str(error)) from None
    except ModuleNotFoundError as error:
        package = error.name.partition(".")[0]
        if package in ("workbook", course.package):
            raise
        raise SystemExit(f"this command needs the package {package}: `make build` installs it, "
                         "and so does `pip install -e '.[instructor,site]'`") from None
    except KeyboardInterrupt:
        raise SystemExit("stopped; whatever was not finished is as it was before") from None


def _report(problems: list[str], found: str, none: str) -> None:
    for problem in problems:
        click.echo(problem, err=True)
    if problems:
        raise SystemExit(found)
    click.echo(none)


@contextlib.contextmanager
def _bar(count: int, name: str):
    with click.progressbar(length=count, label=name, file=sys.stderr) as bar:
        yield bar.update


COMMANDS = [each for each in list(globals().values()) if isinstance(each, click.Command)]
