"""Which package imports which: each rule is seen to fail when it should."""
import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.metadata import packages_distributions
from pathlib import Path

UPWARD = {                                      # file -> a line that must not stand there, and the contract it breaks
    "nwlab/kernels.py": ("from nwlab.pooling import attention_weights", "nwlab: an import only"),
    "nwlab/density.py": ("def late():\n    from workbook import plots", "nwlab knows no workbook"),
    "workbook/questions/pieces.py": ("def late():\n    from workbook import command", "workbook: an import only"),
    "workbook/checks/item.py": ("def late():\n    from workbook.checks.judge import judge", "No circles"),
    "workbook/exercises/warm_up/figures.py": ("from workbook.exercises import unit_sphere", "No exercise imports"),
    "workbook/figures/words.py": ("def late():\n    from workbook.explore import width", "The machinery knows"),
    "nwlab/training.py": ("import matplotlib.pyplot", "nwlab knows no workbook"),
    "workbook/labs/induction.py": ("import matplotlib.pyplot", "Only live figures, lessons, plots"),
    "workbook/site/page.py": ("def late():\n    from nwlab import kernels", "The machinery knows"),
}
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


def lint_imports(folder: Path) -> tuple[int, str]:
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([command, "--no-cache"], cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)},
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_imports_point_down_and_one_that_does_not_is_named(root, tmp_path):
    for package in PACKAGES:
        shutil.copytree(root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
        (tmp_path / package / "unlisted.py").write_text('"""A file that no layer names."""\n', encoding="utf-8")
    shutil.copy(root / "pyproject.toml", tmp_path)
    for name, (line, _) in UPWARD.items():
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{line}\n")
    code, printed = lint_imports(root)
    assert code == 0, printed
    code, printed = lint_imports(tmp_path)
    assert code == 1 and "nwlab.unlisted" in printed and "workbook.unlisted" in printed
    for name, (_, contract) in UPWARD.items():
        assert re.search(rf"^{re.escape(contract)}.*\n?.*BROKEN", printed, flags=re.MULTILINE), f"{name}\n{printed}"
        assert Path(name).stem in printed


def test_each_class_has_a_name_of_its_own(root):
    found = Counter(re.findall(r"^ *class (\w+)[(:]", "\n".join(
        path.read_text(encoding="utf-8") for package in PACKAGES for path in (root / package).rglob("*.py")), re.M))
    assert [name for name, count in found.items() if count > 1] == []
