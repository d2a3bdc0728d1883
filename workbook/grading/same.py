"""Answers that are the same but for names and layout: their syntax trees are, once the names that they bind are not."""
import ast
import hashlib

from workbook.checks.rerun import python_of

DEFINITION = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
FIELD = dict.fromkeys(DEFINITION, "name") | {ast.arg: "arg", ast.Name: "id"}        # which holds the name of a node


def shape(source: str) -> tuple[str, int]:
    """(a hash of an answer without comments, layout, docstrings, annotations and names of its own, how many nodes its
    tree has). Of what is no Python: of its words.
    """
    try:
        tree = ast.parse(python_of(source))
        helpers = {statement.name for statement in tree.body if isinstance(statement, DEFINITION)}
        for statement in tree.body:
            _without_names(statement, dict.fromkeys(helpers, "helper"))
        text, size = ast.dump(tree), sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        words = source.split()
        text, size = " ".join(words), len(words)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), size


def _without_names(statement: ast.stmt, renamed: dict[str, str]) -> None:
    """Rename what a statement binds in the order in which it comes. renamed: names that have a new one already."""
    nodes = [*ast.walk(statement)]
    bound = {*renamed}.union(getattr(node, FIELD[type(node)]) for node in nodes if type(node) in FIELD
                             and not isinstance(getattr(node, "ctx", None), ast.Load))
    for node in nodes:
        if type(node) in FIELD and (name := getattr(node, FIELD[type(node)])) in bound:
            setattr(node, FIELD[type(node)], renamed.setdefault(name, f"name {len(renamed)}"))
        if isinstance(node, DEFINITION):
            node.returns = None
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            for word in node.keywords:
                word.arg = None                              # perhaps of a helper, which may call it anything
