"""What the packages may not hold, beside the contracts of pyproject.toml on imports, which `make lint` and `make test`
ask import-linter for."""
import ast
import re
import tomllib
from collections import Counter
from importlib.metadata import packages_distributions

PACKAGES = "nwlab", "workbook"


def imported(text: str) -> set[str]:
    """The packages that a file imports, and those whose marks its tests have."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "pytest.mark":
            found.add(node.attr)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.importorskip":
            found.add(getattr(node.args[0], "value", ""))
    return {name.split(".")[0] for name in found}


def normal(requirement: str) -> str:
    return re.match(r"[\w.-]+", requirement)[0].lower().replace("_", "-").replace(".", "-")


NEEDS = {                                       # folder -> the extras that bring what its files import
    "nwlab": ("torch",),
    "workbook": ("live", "torch", "lab", "instructor", "site", "lite", "dask", "qti"),
    "tests": ("live", "torch", "lab", "instructor", "site", "lite", "dask", "qti", "test"),
}
KERNEL = {"ipykernel", "ipython", "jupyter-client", "packaging", "traitlets"}       # what runs a notebook brings these


def test_no_script_touches_a_private_attribute(root):
    """Of ipywidgets, anywidget or JupyterLab, whose next release may have another."""
    for path in (root / "workbook").rglob("*.js"):
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        assert re.findall(r"\._\w+|\[[\"']_\w+", code) == [], path


def test_what_is_imported_is_declared(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    owners, undeclared = packages_distributions(), set()
    for folder, extras in NEEDS.items():
        needs = sum((project["optional-dependencies"][extra] for extra in extras), project["dependencies"])
        declared = {*map(normal, needs)} | (KERNEL if folder != "nwlab" else set())
        for path in (root / folder).rglob("*.py"):
            names = imported(path.read_text(encoding="utf-8")) & owners.keys() - set(PACKAGES)
            undeclared |= {(path.name, name) for name in names if not declared & {*map(normal, owners[name])}}
    assert undeclared == set()


def test_each_class_has_a_name_of_its_own(root):
    found = Counter(re.findall(r"^ *class (\w+)[(:]", "\n".join(
        path.read_text(encoding="utf-8") for package in PACKAGES for path in (root / package).rglob("*.py")), re.M))
    assert [name for name, count in found.items() if count > 1] == []
