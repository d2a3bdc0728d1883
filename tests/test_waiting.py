"""No assertion reads a page once: what it reads comes about in its own time, which `expect` and `wait_for` give it."""
import ast

READS = {
    "all_inner_texts", "all_text_contents", "bounding_box", "count", "eval_on_selector", "eval_on_selector_all",
    "evaluate", "evaluate_all", "get_attribute", "inner_html", "inner_text", "input_value", "is_checked", "is_disabled",
    "is_editable", "is_enabled", "is_hidden", "is_visible", "query_selector", "query_selector_all", "text_content",
}
GROWS = {"problems", "requests"}                # lists of what a page has reported, until now
WAITS = {"expect", "result_of", "settle", "wait_for", "wait_for_frame", "wait_until"}
BAD = """
def read_here(page):
    return page.locator("p").count()
def other(page):
    words = read_here(page)
    return words
def test(page):
    assert page.evaluate("1") == 1
    assert not page.locator("p").first.is_visible()
    assert read_here(page) and page
    assert other(page) == 2
    assert page.problems == []
    a, (b, *c) = 1, page.get_attribute("p", "id")
    assert b
    d = []
    d += [page.inner_text("p") for _ in range(3)]
    assert sorted(d) == d
    if (e := page.text_content("p")):
        assert e
    for f in page.evaluate("all"):
        assert f > 0
    d.append(1); assert (lambda: page.input_value("p"))() == ""
"""
GOOD = """
def read_here(page):
    return page.locator("p").count()
def test(page):
    before = page.inner_text("p")
    expect(page.locator("p")).not_to_have_text(before)
    seen = wait_until(page, lambda: read_here(page) > 1, "one")
    assert seen and wait_for_frame(page) > settle(page)
    result = result_of(page, "() => draw()")
    def is_one():
        return page.inner_text("p") == before
    assert result == wait_until(page, is_one, "another")
"""


def inside(node):
    """The node and all that is in it, but for what waits and other functions."""
    if isinstance(node, ast.Call) and name_of(node.func) in WAITS:
        return
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef):
            yield from inside(child)


def name_of(node) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def functions(trees):
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def reads(node, names: set[str], read: set[str]) -> bool:
    """Whether a page is read in it without waiting, by a function of these names or in a variable `read` before."""
    return any(isinstance(each, ast.Call) and name_of(each.func) in names
               or isinstance(each, ast.Name) and each.id in read
               or isinstance(each, ast.Attribute) and each.attr in GROWS for each in inside(node))


def variables(function, names: set[str]) -> set[str]:
    """The variables of a function that hold what was read."""
    read: set[str] = set()
    for node in ast.walk(function):
        value = getattr(node, "iter" if isinstance(node, ast.For) else "value", None)
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.NamedExpr, ast.For)) or not reads(value, names, read):
            continue
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            read |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return read


def bare_reads(*sources: str) -> list[str]:
    """The assertions that read a page once, also by a function or a variable that does."""
    trees, names, before = [*map(ast.parse, sources)], {*READS}, None
    while before != names:                      # a function that returns what it has read is one that reads
        before = {*names}
        names |= {function.name for function in functions(trees) if function.name not in WAITS
                  for node in inside(function) if isinstance(node, ast.Return) and node.value
                  and reads(node.value, names, variables(function, names))}
    found = {node for function in functions(trees) for node in inside(function)
             if isinstance(node, ast.Assert) and reads(node.test, names, variables(function, names))}
    return [f"line {node.lineno}: {ast.unparse(node)}" for node in sorted(found, key=lambda node: node.lineno)]


def test_every_assertion_about_a_page_waits(root):
    tests = root / "tests"
    files = [*tests.glob("browser/*.py"), *tests.glob("lite/*.py"), tests / "axe.py", tests / "jupyter_page.py"]
    assert len(files) > 14 and bare_reads(*(path.read_text(encoding="utf-8") for path in files)) == []


def test_one_that_does_not_is_found():
    assert bare_reads(GOOD) == []
    assert bare_reads(BAD) == [f"line {number}: {ast.unparse(ast.parse(line.split(';')[-1].strip()))}"
                               for number, line in enumerate(BAD.splitlines(), 1) if "assert" in line]
