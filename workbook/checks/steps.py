"""Steps of a formula, and how each may be done otherwise: words, and syntax trees. `nearby` tries them."""
import ast
import functools
import itertools

# What is done otherwise | a step of the oracle | what stands in its place. The most natural come first; a, b and c are
# any expressions. What follows a colon is said only if it can be told in names that the student knows.
STEPS = """
a square is missing: that of {a} | a**2 | a
a part multiplies where it should divide, perhaps for want of brackets: {c} | a / (b * c) | a / b * c
a minus is missing | -a | a
a part is not subtracted: {b} | a - b | a
a part is not added: {b} | a + b | a
a part is not added: {a} | a + b | b
a part is not halved, or not doubled | 0.5 * a | a
a part is not halved, or not doubled | a * 0.5 | a
a part is not halved, or not doubled | -0.5 * a | -a
a part is not halved, or not doubled | a / 2 | a
a part is not halved, or not doubled | 2 * a | a
a division is missing: that by {b} | a / b | a
a product is missing: that with {b} | a * b | a
a product is missing: that with {a} | a * b | b
an exponential is missing: that of {a} | np.exp(a) | a
a logarithm is missing: that of {a} | np.log(a) | a
a root is missing: that of {a} | np.sqrt(a) | a
the absolute value is missing | np.abs(a) | a
the sign is missing | np.sign(a) | a
the absolute value stands in the place of the square | a**2 | np.abs(a)
a plus stands where a minus belongs | a - b | a + b
a plus stands where a minus belongs | np.subtract.outer(a, b) | np.add.outer(a, b)
a minus stands where a plus belongs | a + b | a - b
a division is upside down | a / b | b / a
a product stands where a division belongs | a / b | a * b
a division stands where a product belongs | a * b | a / b
a division stands where a product belongs | a * b | b / a
a plus stands where a product belongs | a * b | a + b
a product stands where a power belongs | a**b | a * b
a power stands where a product belongs | a * b | a**b
a power is missing: that of {a} | a**b | a
only one side of a difference is left: {b} | a - b | b
only what is below the line is left of a division: {b} | a / b | 1 / b
base and exponent have changed places | a**b | b**a
the mean stands in the place of the weighted sum | a @ b | a @ b / len(b)
the sum is divided by one less than the number | np.mean(a) | np.sum(a) / (np.size(a) - 1)
the variance stands in the place of the mean square | np.mean(a**2) | np.var(a)
the largest is sought, not the smallest | np.argmin(a) | np.argmax(a)
the larger of two is taken, not the smaller | min(a, b) | max(a, b)
the smaller of two is taken, not the larger | max(a, b) | min(a, b)
the smaller of two is taken, not the larger | np.maximum(a, b) | np.minimum(a, b)
one of two is taken, whichever is smaller: {a} | min(a, b) | a
one of two is taken, whichever is smaller: {b} | min(a, b) | b
one of two is taken, whichever is larger: {a} | max(a, b) | a
one of two is taken, whichever is larger: {b} | max(a, b) | b
there is no lower limit: that of {a} | np.maximum(a, b) | b
the edge itself is on the wrong side: {b} | a < b | a <= b
the edge itself is on the wrong side: {b} | a <= b | a < b
the edge itself is on the wrong side: {b} | a > b | a >= b
the edge itself is on the wrong side: {b} | a >= b | a > b
a comparison is the wrong way round: that with {b} | a < b | a > b
a comparison is the wrong way round: that with {b} | a > b | a < b
a comparison is the wrong way round: that with {b} | a <= b | a >= b
a comparison is the wrong way round: that with {b} | a >= b | a <= b
a condition is turned round | ~a | a
one of two conditions is missing | a & b | a
one of two conditions is missing | a & b | b
one of two conditions is enough, where both are needed | a & b | a | b
"""
OF_EACH = {"square": "{}**2", "absolute value": "np.abs({})", "root": "np.sqrt({})", "exponential": "np.exp({})",
           "logarithm": "np.log({})"}
OF_ALL = {"sum": "np.sum({})", "mean": "np.mean({})", "median": "np.median({})", "maximum": "np.max({})",
          "minimum": "np.min({})"}
REDUCED = "sum", "mean", "median", "max", "min", "var", "argmax", "argmin"     # functions that may be told an axis
MINOR = 1000                           # the rank from which on names and numbers are changed, and something is added
TOO_MANY = {"a square": "a**2", "a root": "np.sqrt(a)", "an absolute value": "np.abs(a)", "a minus": "-a",
            "a factor 2": "2 * a", "a ½": "a / 2", "an exponential": "np.exp(a)"}


@functools.cache
def steps():
    """Rows of words and two syntax trees: of `STEPS`, and of other orders, parts and brackets."""
    rows = [line.split(" | ", 2) for line in STEPS.strip().splitlines()]
    for (one, first), (other, second) in itertools.permutations(OF_ALL.items(), 2):
        if {one, other} == {"sum", "maximum"}:              # after a shift the largest is 1: nothing was divided then
            continue
        rows.append((f"the {other} stands in the place of the {one}", first.format("a"), second.format("a")))
    for (one, of_all), (other, of_each) in itertools.product(OF_ALL.items(), OF_EACH.items()):
        late, early = of_all.format(of_each.format("a")), of_each.format(of_all.format("a"))
        rows += [(f"the {one} comes before the {other}, not after it", late, early),
                 (f"the {other} comes before the {one}, not after it", early, late)]
    for (one, of_each), sign in itertools.product(OF_EACH.items(), "+-*/@"):
        whole, a, b = (of_each.format(part) for part in (f"(a {sign} b)", "a", "b"))
        rows += [(f"two parts have each its own {one}, where they should have one together", whole, f"{a} {sign} {b}"),
                 (f"the {one} is that of one part alone: {{a}}", whole, f"{a} {sign} b"),
                 (f"the {one} is that of one part alone: {{b}}", whole, f"a {sign} {b}")]
    for one, other in itertools.product(("+", "-", "*", "/", "**"), repeat=2):
        left, right = f"(a {one} b) {other} c", f"a {one} (b {other} c)"
        rows += [("brackets are missing, or stand elsewhere", *way) for way in ((left, right), (right, left))]
    return [(words, *map(parsed, texts)) for words, *texts in rows]


def edits(arguments, tree, parent, field, number, node):
    """(rank, what is done otherwise, the node in this place): the most natural have the lowest ranks."""
    known = [name for name in arguments if name in {argument.arg for argument in tree.args.args}]
    for rank, (words, right, wrong) in enumerate(steps()):
        if type(right) is type(node) and _match(right, node, found := {}):
            told = words.format(**{name: _of(part, known) for name, part in found.items() if name in "abc"})
            yield rank, told.partition(": ")[0] if "something" in told else told, filled(wrong, found)
    if field == "defaults" or isinstance(parent, ast.keyword):
        argument = parent.arg if number is None else parent.args[number - len(parent.defaults)].arg
        yield from ((0, "a step runs along another axis", ast.Constant(axis)) for axis in (0, 1, None)
                    if argument == "axis")
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "softmax":
        yield 20, "the softmax is missing", node.args[0]
        yield 21, "the softmax is taken twice", ast.Call(node.func, [node, *node.args[1:]], node.keywords)
    if getattr(node, "id", "") in known:
        yield from ((MINOR - 1, f"`{name}` stands in a place of `{node.id}`", parsed(name)) for name in known)
        yield from ((MINOR + 1, f"{x} stands in the place of `{node.id}`", ast.Constant(x)) for x in (1, 2))
    if type(getattr(node, "value", "")) in (int, float) and not isinstance(parent, ast.Compare):
        power = isinstance(getattr(parent, "op", ""), ast.Pow)
        told = "a power is {}" if power else "{} stands in the place of another number"
        near = (2 * node.value, node.value / 2, 1, 2, node.value + 1, node.value - 1)
        yield from ((MINOR + 2, told.format(_number(x)), ast.Constant(x)) for x in near)
        yield from ((MINOR + 3, f"`{name}` stands in the place of a number", parsed(name)) for name in known)
    for words, more in TOO_MANY.items() if isinstance(node, (ast.BinOp, ast.Call)) else ():
        told = f"there is {words} too many: that of {_of(node, known)}".removesuffix(": that of something")
        yield MINOR + 4, told, filled(parsed(more), {"a": node})


def _of(node, known) -> str:
    """What can be told of an expression: itself, if it is short and of known names; else which of these are in it."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {"np", "math"}
    if isinstance(node, ast.Constant):
        return _number(node.value)
    if names <= set(known) and sum(isinstance(part, (ast.BinOp, ast.Call)) for part in ast.walk(node)) < 2:
        return f"`{ast.unparse(node).replace(' ** ', '**')}`"
    *first, last = [f"`{name}`" for name in known if name in names] or [""]
    return f"what is made of {', '.join(first) + ' and ' * bool(first) + last}" if last else "something"


def _number(x) -> str:
    return {0.5: "½", 0.25: "¼", 0.75: "¾"}.get(x) or f"{x:g}".replace("-", "−")


def parsed(text) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _match(pattern, node, found) -> bool:
    """Whether a node is as the pattern is, and (in found) what a, b and c are. Keywords of a call may be any."""
    if isinstance(pattern, list):
        return len(pattern) == len(node) and all(_match(*pair, found) for pair in zip(pattern, node))
    if not isinstance(pattern, ast.AST):
        return pattern == node
    if getattr(pattern, "id", "") in ("a", "b", "c"):
        found[pattern.id] = node
        return True
    found |= {"keywords": node.keywords} if isinstance(node, ast.Call) else {}
    return type(pattern) is type(node) and all(_match(getattr(pattern, field), getattr(node, field), found)
                                               for field in pattern._fields if field not in ("keywords", "kind", "ctx"))


def filled(pattern, found):
    """The pattern with what was found in the place of a, b and c."""
    if isinstance(pattern, list):
        return [filled(part, found) for part in pattern]
    if not isinstance(pattern, ast.AST) or getattr(pattern, "id", "") in found:
        return found.get(getattr(pattern, "id", ""), pattern)
    new = type(pattern)(**{field: filled(value, found) for field, value in ast.iter_fields(pattern)})
    if isinstance(new, ast.Call) and getattr(new.func, "attr", "") in REDUCED:
        new.keywords = found.get("keywords", [])
    return new
