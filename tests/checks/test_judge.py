"""The judge: right answers hold, and the mistakes that any item knows are named, with words that say where to look."""
import functools

import numpy as np
import pytest
import torch
from small_items import distances, loop, row_means, table, total, unscaled, verdict
from small_items import right_means as right

import nwlab
from workbook.checks import CheckFailed, Item, Problem, Verdict, messages
from workbook.checks.item import posed
from workbook.checks.messages import failure_text
from workbook.language import speaking


def raising(error, where=lambda *inputs: True, function=None):
    """Raises the error where the first input says so; elsewhere it is the function."""
    def student(*inputs):
        if where(inputs[0]):
            raise error
        return function(*inputs)

    return student


notebook = np.ones((3, 2))


def nan_for_zeros(table, scale):
    return np.where(table.sum(1) > 0, right(table, scale), np.nan)


def three(table, scale):
    return len(table), scale, right(table, scale)


def shares(table, scale):
    return (1 + table) / (1 + table).sum(1)[:, None]


def two(rng):
    return posed(("a", "b"), *((f"{n} numbers", rng.uniform(1, 2, n), rng.uniform(1, 3, n)) for n in (2, 3, 5)))


# --- what any item knows


@pytest.mark.parametrize("function, words, changes", [
    (raising(NotImplementedError("write row_means")), "not written yet", {}),
    (raising(NotImplementedError("write helper")), "it calls helper, which is not written yet", {}),
    (np.ones(3), "is not a function", {}),
    (lambda table: 0, "takes 1 positional argument but 2 were given", {}),
    (raising(SystemExit("bye")), "it raises SystemExit: bye", {}),
    (lambda table, scale: None, "it returns nothing", {}),
    (lambda table, scale: scale * nwlab.average_pooling(np.zeros(1), table.T)[0],
     "it calls nwlab's own average_pooling", {"package": "workbook.exercises.warm_up"}),
    (lambda table, scale: np.multiply(table, scale, out=table).mean(axis=1), "it changes its inputs (table)", {}),
    (lambda table, scale: torch.tensor(right(table, scale)), "torch where NumPy was expected", {}),
    (lambda table, scale: (scale * table.mean(1)).numpy(), "NumPy where torch was expected", {"library": "torch"}),
    (lambda table, scale: right(table, scale).tolist(), "a list where an array was expected", {}),
    (lambda table, scale: "many", "text where an array was expected", {}),
    (lambda table, scale: right(table, scale) * 1j, "an array of complex128 where", {}),
    (lambda table, scale: scale * table.mean(0), "shape (2,) where (3,) was expected", {}),
    (lambda table, scale: table @ table, "it raises ValueError: matmul: Input operand 1 has a mismatch", {}),
    (lambda table, scale: scale * table.mean(1, keepdims=True), "an axis of length 1 too many", {}),
    (lambda table, scale: table.T.copy(), "rows and columns are swapped",
     {"oracle": lambda table, scale: table}),
    (lambda table, scale: scale * table.sum(1), "a sum where a mean is right: every answer is the right one times "
     "table.shape[1]", {}),
    (right, "a mean where a sum is right: every answer is the right one times 1/table.shape[1]",
     {"oracle": lambda table, scale: scale * table.sum(1)}),
    (lambda table, scale: table.mean(1), "every answer is 1/scale times the right one", {}),
    (lambda table, scale: right(table, scale) * table.shape[1] / (table.shape[1] - 1),
     "every answer is 1/((table.shape[1] − 1)/table.shape[1]) times the right one", {}),
    (lambda table, scale: table.sum() * right(table, scale), "in each problem all answers are the right ones times one "
     "number, another in each", {}),
    (lambda table, scale: np.sin(right(table, 2 * scale)), "these are the right answers for 2·scale in place of scale",
     {"oracle": lambda table, scale: np.sin(scale * table.mean(1))}),
    (lambda a, b: np.cos(a - 2 * b), "these are the right answers for b and a in place of a and b",
     {"arguments": ("a", "b"), "by_hand": two, "oracle": lambda a, b: np.cos(b - 2 * a)}),
    (lambda table, scale: right(table, scale)**2, "every answer is the square of the right one", {}),
    (lambda table, scale: np.sort(right(table, scale)), "the right numbers, in another order", {}),
    (lambda table, scale: table > 1, "every answer is the opposite of the right one",
     {"oracle": lambda table, scale: table <= 1}),
    (lambda table, scale: (1 + table) / (1 + table).sum(0), "the rows do not sum to one, but the columns do",
     {"oracle": shares}),
    (lambda table, scale: 1 + table, "the rows do not sum to one", {"oracle": shares}),
    (lambda table, scale: np.full(len(table), 3.5), "every answer is 3.5, whatever the inputs", {}),
    (lambda table, scale: np.full(len(table), np.median(table)), "all entries of an answer are the same number", {}),
    (lambda table, scale: np.where(table.sum(1) > 0, table[:, 0]**3, np.nan), "the numbers differ", {}),
    (lambda table, scale: scale * table.max(1) + np.where(len(table) == 5, np.nan, 0), "the largest",
     {"mistakes": (("the largest", lambda table, scale: scale * table.max(1)),)}),
    (lambda table, scale: (len(table), scale, 2 * right(table, scale)),
     "every answer is 2 times the right one, in the third of 3 results", {"oracle": three}),
    (lambda table, scale: (len(table), [scale], right(table, scale)),
     "a list where a number was expected, in the second of 3 results", {"oracle": three}),
    (lambda table, scale: np.zeros((700, 700)), "an axis too many: (700, 700), not (3,)", {}),
    (lambda table, scale: right(table, scale) ** (2 - (len(table) == 2)), "1 of 4 problems hold, “by hand” does", {}),
    (lambda table, scale: right(table, scale) * (table[:, 0] < 1.5), "0 where another number was expected", {}),
    (lambda a, b: np.cos(a - 3 * a), "these are the right answers for a in place of b",
     {"arguments": ("a", "b"), "by_hand": two, "oracle": lambda a, b: np.cos(a - 3 * b)}),
    (right, "a number where NaN was expected", {"oracle": nan_for_zeros}),
    (lambda table, scale: scale * notebook.mean(axis=1), "it reads notebook of the notebook", {}),
    (lambda table, scale: notebook(table), "it raises TypeError: 'numpy.ndarray' object is not callable", {}),
    (loop, "a loop in Python", {"loops": False}),
    (functools.partial(lambda power, table, scale: np.array([scale * row.mean() for row in table])**power, 1),
     "a loop in Python", {"loops": False}),
    (lambda table, scale: np.apply_along_axis(lambda row: scale * row.mean(), 1, table), "a loop in Python",
     {"loops": False}),
])
def test_the_mistake_is_named(function, words, changes):
    found = verdict(function, row_means(**changes))
    assert not found.holds and words in found.line, failure_text(found)
    assert found.line.startswith("row_means does not hold yet: ") and found.got
    assert found.next or "mistakes" in changes                  # whose advice stands in an advice.md
    assert bool(found.tried) == (words != "not written yet")


@pytest.mark.parametrize("function, changes", [
    (loop, {}), (right, {"loops": False}), (lambda table, scale: right(table.astype(np.float32), scale), {}),
    (lambda table, scale: torch.tensor(right(table, scale)), {"library": "any"})])
def test_right_answers_hold_with_one_line(function, changes):
    found = verdict(function, row_means(**changes))
    assert found.holds, failure_text(found)
    assert found.line == "row_means holds: 4 problems, 2 points"


def test_a_failure_says_tried_came_expected_next_in_this_order():
    def half(table, scale):
        print("I have", table.shape)
        return np.where(table.sum(1) > 0, right(table, scale), 0.5)

    text = failure_text(verdict(half, row_means()))
    places = [text.index(words) for words in (
        "row_means does not hold yet: 3 of 4 problems hold", "Tried\n  “a row of zeros”", "shape (2, 3)",
        "Came back", "[3 0.5]    shape (2,)", "and it printed: I have (2, 3)",
        "Expected", "[3 0]    shape (2,)", "Next")]
    assert places == sorted(places)


def test_tuples_texts_numbers_and_truths_are_compared():
    item = row_means(oracle=lambda table, scale: (len(table), "wide" if scale > 1 else "narrow", scale > 1))
    assert verdict(lambda table, scale: [len(table), "wide" if scale > 1 else "narrow", scale > 1], item).holds
    assert "2 things where 3" in verdict(lambda table, scale: (1, 2), item).line
    assert "a number where a tuple" in verdict(lambda table, scale: 1.0, item).line
    assert not verdict(lambda table, scale: (len(table), "narrow", scale > 1), item).holds
    number = row_means(oracle=lambda table, scale: scale)
    assert verdict(lambda table, scale: np.array([scale]), number).holds         # one number may be an array of one
    assert "an array where one number" in verdict(lambda table, scale: np.full(2, scale), number).line


# --- which words they get: functions of points, of values, and of one array


def squares(**changes):
    """The square of x, on short numbers, long ones and two special problems."""
    declared = {"name": "squares", "title": "Squares", "returns": "the square of each x, (n,)", "arguments": ("x",),
                "oracle": lambda x: x**2, "by_hand": lambda rng: posed(("x",), (
                    "by hand", [1.5, 2.0, -3.0]), ("long", [98.73712, 98.46931, 7.0]), (
                    "a zero", [0.0, 2.0, 3.0], "x may be 0"), ("one x", [4.0], "one x is still an array"))}
    return Item(**declared | changes)


@pytest.mark.parametrize("item, function, line, look, never", [
    (table(), unscaled, "the wrong power", "", "line"),
    (table(), lambda q, k, h: distances(q, k, h) + (np.nan if len(q) == 5 else 0), "NaN where a number was expected",
     "it comes from 0/0, 0·∞, ∞/∞, ∞ − ∞, the root", "window"),
    (table(), lambda q, k, h: distances(q, k, h) + (np.inf if len(q) == 5 else 0), "infinity where a number",
     "a division by 0, or from a number too large", "NaN"),
    (table(), raising(ValueError("no"), lambda q: q.ndim == 2, distances),
     "on 2 of 4 problems (those in which q.ndim == 2) it raises ValueError: no", "the line that it names", "other"),
    (table(), lambda q, k, h: max(0, distances(q, k, h)), "ValueError", "one truth value, and here they get a whole "
     "array. For arrays there are `np.maximum`", "torch"),
    (table(), lambda q, k, h: np.max(0, distances(q, k, h)), "TypeError", "what comes second is an axis", "truth"),
    (table(library="torch"), lambda q, k, h: q if q > 0 and h else k, "RuntimeError", "`torch.maximum`", "np."),
    (table(), lambda q, k, h: 0.0, "one number where an array was expected",
     "one number instead of (2, 3): which axis does the sum, mean or norm run over?", "hard-coded"),
    (table(), lambda q, k, h: np.stack([distances(q, k, h)] * 7, -1), "an axis too many: (2, 3, 7), not (2, 3)",
     "a sum over an axis is missing", "NaN"),
    (table(), lambda q, k, h: distances(q, k, h) ** 2 + 1, "the numbers differ", "in “line 2”, entry [", "sign"),
    (table(), lambda q, k, h: distances(q, k, h) ** (1 if q.ndim == 1 else 2),
     "2 of 4 problems hold, all but those in which q.ndim == 2", "what does your code do differently where q.ndim ==",
     "line"),
    (table(), lambda q, k, h: distances(q, k, h).sum(dim=0), "argument 'dim'", "NumPy says `axis=`", "function take"),
    (table(library="torch"), lambda q, k, h: torch.nn.functional.softmax(q, axis=0), "argument 'axis'",
     "torch says `dim=`", "function take"),
    (squares(), lambda x: x > 0 & x < 3, "it raises TypeError", "`&` and `|` bind more strongly than `<` and `>`",
     "shapes"),
    (squares(), lambda x: np.arange(9.0)[x], "used as indices must be",
     "floats cannot choose entries. A comparison can", "shapes"),
    (squares(), lambda x: x**2 + (np.arange(len(x)) == len(x) - 1), "only the last entry is wrong",
     "differently there", "shapes"),
    (squares(), lambda x: -(x**2), "the sign is flipped", "a minus is missing, or there is one too many", "shapes"),
    (squares(), lambda x: x**2 + 3000 * (x > 98), "3 of 4 problems hold",
     "and 9749 was expected: a difference of 3000, a ratio", "difference quotient"),
    (total(), lambda w, values: w * np.sum(values**3), "the numbers differ", "", "proportion"),   # one number always is
    (total(), lambda w, values: 2 * w * np.sum(values**2), "every answer is 2 times", "", "sign"),
    (total(), lambda w, values: w * np.sum(values**2) * (1 + 5e-3 / len(values)), "nearly right", "", "factor"),
    (total(), lambda w, values: np.nan, "NaN where a number was expected", "", "same answer"),
])
def test_words_say_where_to_look_and_no_more_than_they_show(item, function, line, look, never):
    found = verdict(function, item)
    assert line in found.mistake and look in found.next, failure_text(found)
    assert never not in found.mistake + found.next and not found.holds


def test_no_right_answer_is_computed_for_the_square_of_a_count():
    asked = []
    problems = [Problem(f"{n} steps", {"steps": n, "values": np.array([1.0, 2.5])}) for n in (40, 50)]
    item = total(arguments=("steps", "values"), by_hand=lambda rng: problems,
                 oracle=lambda steps, values: asked.append(np.max(steps)) or np.sin(steps) * values)
    assert not verdict(lambda steps, values: np.cos(steps + values), item).holds and max(asked) <= 100 and 1 in asked


def test_what_came_back_and_what_was_expected_can_be_told_apart():
    found = verdict(lambda table, scale: right(table, scale) * (1 + 1e-8 * len(table)), row_means())
    assert found.got.split("]")[0] != found.expected.split("]")[0], failure_text(found)
    found = verdict(lambda w, values: w * (values**2).sum() + 1e-7, total(library="torch"))
    assert found.got.split()[0] != found.expected.split()[0] and "ratio" not in found.next, failure_text(found)


@pytest.mark.parametrize("body, words, look", [
    ("", "it returns nothing", "does every path"),
    ("return [1, 2].append(3)", "it returns None", "the line is `return [1, 2].append(3)`"),
    ("return torch.ones(2).grad", "the grad is None", "read the grad of w"),
    ("return torch.ones(3).grad, 2", "the grad is None: backward leaves grad only at the tensor marked requires_grad, "
     "in the first of 2 results", "read the grad of w"),
])
def test_how_nothing_came_back_is_told(body, words, look, tmp_path):
    path = tmp_path / "cell.py"
    path.write_text(f"import torch\n\ndef student(w, values):\n    a = 1\n    {body}\n", encoding="utf-8")
    home = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), home)
    changes = {"oracle": lambda w, values: (1.0, 2.0)} if "," in body.partition("grad")[2] else {}
    found = verdict(home["student"], total(**changes))
    assert words in found.line and look in found.next, failure_text(found)


def test_what_is_special_is_told_once_and_only_if_all_that_fail_are_special():
    alone = verdict(lambda x: x**2 + (x == 0), squares())
    assert alone.tried.startswith("“a zero”") and failure_text(alone).count("may be 0") == 1, failure_text(alone)
    both = verdict(lambda x: x**2 + (x == 0) + (len(x) == 1), squares())
    assert "“a zero”: x may be 0; “one x”: one x is still an array" in both.next, failure_text(both)
    mixed = verdict(lambda x: x**2 + np.where(x > 98, 0.5, 0) + (x == 0), squares())
    assert "x may be 0" not in failure_text(mixed) and mixed.tried.startswith("“long”")


@pytest.mark.parametrize("text, shown", [
    ("a softmax of a softmax", "A softmax of a softmax"), ("nothing, or 0", "Nothing, or 0"),
    *((same, same) for same in ("σ² multiplies the number", "d**h instead", "d to the power h", "n is missing", "s̄ is",
                                "h² is", "1/w", "log(x)", "rho is used as w", "NaN where")), ("", "")])
def test_a_word_gets_a_capital_and_a_symbol_does_not(text, shown):
    assert messages.capital(text) == shown


def test_chinese_lines_end_between_letters_but_keep_words_and_signs_whole():
    prose = 3 * "手算这个数（先写 `weights.sum(axis=1)`），再打印《代码》算出的数：从哪一步开始不同？"
    lines = messages.wrapped(prose).split("\n")
    assert "".join("".join(lines).split()) == "".join(prose.split()) and "weights.sum(axis=1)" in lines[0]
    assert all(60 < len(line.encode("gb18030")) <= messages.WIDTH for line in lines[:-1])     # two bytes for a letter
    assert not any(line[0] in "，：？）》" or line[-1] in "（《" for line in lines)


@pytest.mark.parametrize("look", ["沿哪个轴？", "先减去最大的（它最高。）"])
def test_in_chinese_no_second_stop_follows_and_no_word_gets_a_capital(look):
    found = Verdict("f", "failed", 0, 1, mistake="softmax 沿查询的方向算了", next=f"softmax {look}")
    with speaking("zh"), pytest.raises(CheckFailed, match=f"\\n  softmax {look}\n"):
        messages.report(found, "", "")
