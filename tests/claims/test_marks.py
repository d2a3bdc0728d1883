"""Which sentence of a lesson is held by which test: each `% claim: ID` has one test that is marked with this ID.
A number that the test names, it reads.
"""
import ast
import re

ID = re.compile(r"(\d\d|[a-z_]+)(-[a-z0-9]+)+")


def test_each_claim_has_one_test_and_each_test_its_claim(root):
    folders = "notebooks/source", "workbook/lesson/texts", "solutions/source"
    texts = [path.read_text(encoding="utf-8") for folder in folders for path in (root / folder).glob("*.md")]
    claims = re.findall(r"^% claim: *(.*?) *$", "\n".join(texts), flags=re.MULTILINE)
    tests = [ast.literal_eval(mark.args[0])
             for path in (root / "tests" / "claims").glob("test_*.py")
             for node in ast.parse(path.read_text(encoding="utf-8")).body
             for mark in getattr(node, "decorator_list", ())
             if isinstance(mark, ast.Call) and getattr(mark.func, "attr", "") == "claim"]
    assert sorted(claims) == sorted(tests) and len(set(claims)) == len(claims) > 100
    assert [name for name in claims if not ID.fullmatch(name)] == []


def test_a_number_in_the_docstring_of_a_claim_stands_in_its_code_too(root):
    """A decimal or a percentage that no line of the test reads is true of one run: `record_property` prints it."""
    unread = []
    for path in (root / "tests" / "claims").glob("test_*.py"):
        for test in ast.parse(path.read_text(encoding="utf-8")).body:
            said = isinstance(test, ast.FunctionDef) and ast.get_docstring(test) or ""
            code = {node.value for node in ast.walk(test) if isinstance(node, ast.Constant)}
            for number in re.findall(r"(?<![\w.])\d+\.\d+", said):
                unread += [] if float(number) in code else [f"{path.name}: {number}"]
            for percent in map(float, re.findall(r"(\d+) %", said)):
                unread += [] if code & {percent, percent / 100, 1 + percent / 100} else [f"{path.name}: {percent:g} %"]
    assert unread == []
