"""Which room imports which, and the student's JupyterLab: each rule is seen to fail when it should."""
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

UPWARD = {                                      # file -> a line that must not stand there, and the contract it breaks
    "nwlab/kernels.py": ("from nwlab.pooling import attention_weights", "What is taught"),
    "nwlab/density.py": ("def late():\n    from nwlab import plots", "What is taught"),
    "workbook/lesson/pieces.py": ("def late():\n    from workbook import command", "How it is taught: an import"),
    "workbook/checks/item.py": ("def late():\n    from workbook.checks.judge import judge", "No circles"),
    "nwlab/exercises/warm_up/problems.py": ("from nwlab.exercises import unit_sphere", "No exercise imports another"),
    "workbook/figures/words.py": ("def late():\n    from nwlab.explore import width", "How it is taught knows"),
    "nwlab/training.py": ("import matplotlib.pyplot", "Only live figures, lessons, plots"),
}
PACKAGES = "nwlab", "workbook"


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


def test_nothing_that_serves_any_course_names_this_one(root):
    """No import, no path, no word: it would serve a course on sorting as well."""
    for path in (root / "workbook").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert b"nwlab" not in path.read_bytes().lower(), path


def test_each_class_has_a_name_of_its_own(root):
    found = Counter(re.findall(r"^ *class (\w+)[(:]", "\n".join(
        path.read_text(encoding="utf-8") for package in PACKAGES for path in (root / package).rglob("*.py")), re.M))
    assert [name for name, count in found.items() if count > 1] == []
