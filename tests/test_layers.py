"""What the packages may not hold, beside the contracts of pyproject.toml on imports, which `make lint` and `make test`
ask import-linter for."""
import re
from collections import Counter
from importlib.metadata import packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from workbook.authoring.project import project_in

PACKAGES = "nwlab", "workbook"
IMPORT = re.compile(r'^ *(?:from|import) (\w+)|importorskip\("(\w+)', re.M)
EXTRAS = "live", "torch", "lab", "instructor", "site", "lite", "qti"
NEEDS = {"nwlab": ("torch",), "workbook": EXTRAS, "tests": (*EXTRAS, "test")}       # what brings what a folder imports
KERNEL = {"ipykernel", "ipython", "jupyter-client", "packaging", "traitlets"}       # what runs a notebook brings these


def test_no_script_touches_a_private_attribute(root):
    """Of ipywidgets, anywidget or JupyterLab, whose next release may have another."""
    for path in (root / "workbook").rglob("*.js"):
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        assert re.findall(r"\._\w+|\[[\"']_\w+", code) == [], path


def names_of(requirements) -> set[str]:
    return {canonicalize_name(Requirement(each).name) for each in requirements}


def test_what_is_imported_is_declared(root):
    project, owners, undeclared = project_in(root), packages_distributions(), set()
    for folder, extras in NEEDS.items():
        needs = sum((project["optional-dependencies"][extra] for extra in extras), project["dependencies"])
        declared = names_of(needs) | (KERNEL if folder != "nwlab" else set())
        for path in (root / folder).rglob("*.py"):
            names = {*map("".join, IMPORT.findall(path.read_text(encoding="utf-8")))} & owners.keys() - {*PACKAGES}
            undeclared |= {(path.name, name) for name in names if not declared & names_of(owners[name])}
    assert undeclared == set()


def test_each_class_has_a_name_of_its_own(root):
    found = Counter(re.findall(r"^ *class (\w+)[(:]", "\n".join(
        path.read_text(encoding="utf-8") for package in PACKAGES for path in (root / package).rglob("*.py")), re.M))
    assert [name for name, count in found.items() if count > 1] == []
