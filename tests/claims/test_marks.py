"""Which sentence of a lesson is held by which test: each `% claim: ID` has one test that is marked with this ID."""
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
