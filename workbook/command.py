"""`python -m workbook`: open the workbook, build its notebooks and its site, grade a class."""
import html
import os
from pathlib import Path

try:
    import click
except ModuleNotFoundError as error:
    raise SystemExit(f"the commands need {error.name}: run `make lab` once, or `pip install -e '.[live]'`") from None

from workbook import course, language
from workbook.authoring.project import BuildError, Project, address_of
from workbook.files import write

FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
BADGES = {
    "JupyterLite": "https://jupyterlite.rtfd.io/en/latest/_static/badge.svg",
    "Binder": "https://mybinder.org/badge_logo.svg",
    "Colab": "https://colab.research.google.com/assets/colab-badge.svg",
    "JupyterHub": "https://img.shields.io/badge/open_on-JupyterHub-F37626",
}
SECONDS = click.FloatRange(0, min_open=True)
OUT = click.option("--out", required=True, type=FOLDER, help="The folder to write.")
PYODIDE = click.option(
    "--pyodide", envvar="LITE_PYODIDE", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with the files of Pyodide. Without it, a browser tab takes them from the internet.")
FOLLOW_THROUGH = click.option(
    "--follow-through", "share", metavar="SHARE", default=1.0, type=click.FloatRange(0, 1), show_default=True,
    help="Of the points of an item that is right but for items that it calls. 0: none.")


class Commands(click.Group):
    """Commands that end with one line where a user can mend what is wrong; a bug keeps its traceback."""

    def invoke(self, context):
        try:
            return super().invoke(context)
        except BuildError as error:
            raise SystemExit(str(error)) from None
        except OSError as error:                         # a full disk, a folder that nobody may write to
            if not error.strerror:
                raise
            raise SystemExit(f"{error.filename or 'error'}: {error.strerror}") from None
        except ModuleNotFoundError as error:
            package = error.name.partition(".")[0]
            if package in ("workbook", "nwlab"):
                raise
            raise SystemExit(f"this command needs the package {package}: `make lab` or `make build` installs it, "
                             "and so does `pip install -e '.[lab,instructor,site,qti]'`") from None


main = Commands("workbook", help=course.ABOUT, context_settings={"help_option_names": ["-h", "--help"]})


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def lab(arguments: tuple[str, ...]) -> None:
    """Open JupyterLab on the first notebook, in NWLAB_LANGUAGE; ARGUMENTS go to `jupyter lab` as they are."""
    project = Project.find()
    first = project.notebooks / f"{course.FIRST}.ipynb"
    translated = language.twin(first, language.language())
    first = project.relative(translated if translated.is_file() else first)
    from jupyterlab import labapp

    # Small matrices gain nothing from more threads, which wait for each other on a busy machine.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.chdir(project.root)
    options = [f"--ServerApp.root_dir={project.root}", f"--LabApp.default_url=/lab/tree/{first}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")                   # in a container; JupyterLab would refuse to start without it
    raise SystemExit(labapp.main([*options, *arguments]))


@main.command()
@click.argument("names", nargs=-1)
def build(names: tuple[str, ...]) -> None:
    """Make the notebooks from their sources and run them.

    NAMES like 01_averages, or a number like 01, limit it to these. If other notebooks have to be built after that, they
    are named, and the exit code is 1.
    """
    from workbook.authoring import build as authoring

    if others := authoring.build(Project.find(), names, say=click.echo):
        click.echo("\n".join(others), err=True)
        raise SystemExit("what was named is built; these have to be built, too: `make build` builds all")


@main.command()
@click.option("--repo", metavar="OWNER/NAME", required=True, help="The repository, or its address as a browser or git "
              "shows it.")
@click.option("--hub", default="", metavar="URL", help="A JupyterHub with nbgitpuller, for its links.")
def links(repo: str, hub: str) -> None:
    """Print links and badges, in Markdown and in HTML, that open each notebook of a repository live."""
    project = Project.find()
    project.address = address_of(repo, "links: --repo")
    for path in sorted(path for folder in (project.notebooks, project.exercises)
                       for path in (*folder.glob("*.ipynb"), *folder.glob("??/*.ipynb"))):       # also translated ones
        name = project.relative(path)
        found = project.launches(name.removesuffix(".ipynb"), hub)
        markdown = " ".join(f"[![Open on {where}]({BADGES[where]})]({link})" for where, link in found.items())
        markup = [f'<a href="{html.escape(link)}"><img src="{BADGES[where]}" alt="Open on {where}"></a>'
                  for where, link in found.items()]
        click.echo("\n".join([f"{name}\n", f"{markdown}\n", *markup, ""]))


@main.command()
@click.argument("name")
@click.option("--out", required=True, type=FILE, help="The HTML file to write.")
def figure(name: str, out: Path) -> None:
    """Record the live figure NAME into one HTML file, for a course page or slides: it plays without a kernel."""
    from workbook.site.page import page

    if not os.access(out.parent, os.W_OK):
        raise SystemExit(f"{out}: expected a folder that is there and may be written to, got {out.parent}")
    click.echo(f"recording {name}: this takes a minute or two", err=True)
    text = page(name)
    out.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"{out}: {name}, {len(text) / 1e6:.2f} MB")


@main.command()
@click.option("--as", "form", required=True, type=click.Choice(["gift", "qti", "csv"]),
              help="gift: Moodle. qti: Canvas. csv: a table for poll tools and spreadsheets.")
@click.option("--out", required=True, type=click.Path(path_type=Path),
              help="The file to write; for qti a folder, into which an archive is written for each notebook.")
def questions(form: str, out: Path) -> None:
    """Write the questions of the lessons, with their answers, for a learning platform or for polls."""
    from workbook.authoring.build import Sources
    from workbook.authoring.export import export

    export(Sources(Project.find()), form, out)


@main.command()
@OUT
@click.option("--hub", default="", metavar="URL", help="A JupyterHub that gets a launch button too.")
@click.option("--lite", is_flag=True, help="Put JupyterLab for a browser tab beside the pages, and a button on each.")
@PYODIDE
def site(out: Path, hub: str, lite: bool, pyodide: Path | None) -> None:
    """Write all pages into a folder for any web server: figures that move, questions that answer, and no kernel."""
    from workbook.site.site import build as build_site

    build_site(Project.find(), out, hub=hub, lite=lite, pyodide=pyodide, say=click.echo)


@main.command()
@OUT
def slides(out: Path) -> None:
    """Write a deck of slides for each plan of the teachers' page. It opens from a file, and figures move."""
    from workbook.site.slides import build as build_slides

    build_slides(Project.find(), out, say=click.echo)


@main.command()
@click.option("--out", type=FOLDER, help="The folder to write.")
@PYODIDE
@click.option("--download", type=FOLDER, help="Fetch these files into a folder.")
def lite(out: Path | None, pyodide: Path | None, download: Path | None) -> None:
    """Write JupyterLab and Python for a browser tab into a folder for any web server: no kernel runs elsewhere."""
    from workbook.site import lite

    if download:
        lite.download(download, say=click.echo)
    if out:
        lite.build(Project.find(), out, pyodide, say=click.echo)
    elif not download:
        raise SystemExit("got neither option, expected --out FOLDER, --download FOLDER, or both")


@main.command()
@click.argument("submissions", type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=FOLDER, help="Folder of the report.")
@click.option("--students-in", metavar="N", type=click.IntRange(1), help="Which part of a path names the "
              "student: 2 in week1/STUDENT/warm_up.ipynb. Needed only if it asks.")
@click.option("--jobs", default=os.cpu_count() or 1, type=click.IntRange(1), show_default=True,
              help="Notebooks at a time.")
@click.option("--cell-timeout", default=30.0, type=SECONDS, show_default=True, help="Seconds for one cell.")
@click.option("--timeout", default=300.0, type=SECONDS, show_default=True, help="Seconds for one notebook.")
@click.option("--memory", default=2048, type=click.IntRange(1), show_default=True, help="Mebibytes for one notebook.")
@FOLLOW_THROUGH
@click.option("--return", "back", type=click.Choice(["moodle", "canvas", "nbgrader"]),
              help="Write the pages of the students as that takes feedback files back, into the folder return.")
@click.option("--roster", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="NAMES.CSV",
              help="Who is in the class, with sections: says who handed in nothing.")
@click.option("--resume", is_flag=True, help="Go on: notebooks that have not changed are not graded again.")
@click.option("--sandbox", default="require", type=click.Choice(["require", "off"]), show_default=True,
              help="require: end with advice if bubblewrap does not work here. off: do without it.")
def grade(submissions, out, jobs, cell_timeout, timeout, memory, **options) -> None:
    """Grade the exercises in the folder SUBMISSIONS into a report: only their answers are run, in a sandbox."""
    from workbook.grading.grade import grade as grade_class
    from workbook.grading.sandbox import MEGABYTE, Limits

    limits = Limits(cell_timeout, timeout, memory * MEGABYTE)
    grade_class(submissions, out, Project.find().exercises, jobs, limits, **options)


@main.command()
@click.argument("exercise", type=click.Choice(course.EXERCISES))
@click.option("--out", required=True, type=FILE, help="The archive to write.")
@FOLLOW_THROUGH
def autograder(exercise: str, out: Path, share: float) -> None:
    """Write the archive with which Gradescope grades EXERCISE."""
    from workbook.grading.autograder import build

    archive, asked = build(Project.find().root, exercise, share)
    write(out, archive)
    click.echo(f"{out}: on Gradescope, choose Programming Assignment with {sum(asked.items.values())} autograder points"
               f"{f' and {asked.words} for manual grading' * bool(asked.words)}, and Configure Autograder")
