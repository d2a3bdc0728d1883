"""No assertion reads a page once: what it reads comes about in its own time, which `expect` and `wait_for` give it."""
import ast

import pytest

READS = {
    "all_inner_texts", "all_text_contents", "bounding_box", "count", "eval_on_selector", "eval_on_selector_all",
    "evaluate", "evaluate_all", "get_attribute", "inner_html", "inner_text", "input_value", "is_checked", "is_disabled",
    "is_editable", "is_enabled", "is_hidden", "is_visible", "query_selector", "query_selector_all", "text_content",
    "problems", "requests",                     # the last two: what a page has reported until now
}
WAITS = {"expect", "result_of", "settle", "wait_for", "wait_for_frame", "wait_until"}


def reads(node, known: set[str]) -> bool:
    """Whether a page or a variable of these names is read in it, but for what is handed to a function that waits."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in WAITS:
        return False
    return (getattr(node, "attr", "") in READS or getattr(node, "id", "") in known
            or any(reads(child, known) for child in ast.iter_child_nodes(node)))


def bare_reads(source: str) -> list[int]:
    """The lines of the assertions that read a page once, or what was read before and given a name in that function."""
    found = []
    for function in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)):
        known: set[str] = set()
        for node in ast.walk(function):
            if isinstance(node, (ast.Assign, ast.NamedExpr)) and reads(node.value, known):
                targets = getattr(node, "targets", [getattr(node, "target", None)])
                known |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
            if isinstance(node, ast.Assert) and reads(node.test, known):
                found.append(node.lineno)
    return found


def test_every_assertion_about_a_page_waits(root):
    tests = root / "tests"
    files = [*tests.glob("browser/*.py"), *tests.glob("lite/*.py"), tests / "axe.py", tests / "jupyter_page.py"]
    found = {path.name: bare_reads(path.read_text(encoding="utf-8")) for path in files}
    assert len(files) > 14 and {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(("body", "is_bare"), [
    ("assert page.evaluate('1') == 1", True), ("assert not page.locator('p').first.is_visible()", True),
    ("a, (b, *c) = 1, page.get_attribute('p', 'id'); assert b", True), ("assert page.problems == []", True),
    ("seen = wait_until(page, lambda: page.inner_text('p') > 'a', 'b'); assert seen > settle(page)", False),
    ("before = page.inner_text('p'); assert wait_until(page, lambda: page.inner_text('p') != before, 'a')", False)])
def test_one_that_does_not_is_found(body, is_bare):
    assert bare_reads(f"def test(page): {body}") == [1] * is_bare
