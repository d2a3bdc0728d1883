"""Two answers are the same but for names and layout, or they are not."""
import pytest

from workbook.grading.same import shape

ANSWER = """def pool(queries, keys):
    '''Average.'''
    weights = np.exp(-(queries[:, None] - keys) ** 2)    # (m, n)
    return helper(weights, axis=1)

def helper(weights, axis):
    return [weights.sum(axis=axis) for _ in range(3)]
"""


@pytest.mark.parametrize("other, same", [
    ("def pool(q, k: int) -> int:\n  W=np.exp(-(q[:,None]-k)**2)\n  return h(W,\n    dim=1)\n"
     "def h(w, dim): return [w.sum(axis=dim) for j in range(3)]", True),
    (ANSWER.replace("exp", "sin"), False), (ANSWER.replace("range(3)", "range(4)"), False),
    (ANSWER.replace("[weights.sum", "[max.sum"), False), (ANSWER.replace("axis=axis", "dim=axis"), False),
    (ANSWER.replace("np.exp(-(queries[:, None] - keys)", "np.exp(-(keys[:, None] - queries)"), False)])
def test_names_comments_docstrings_annotations_and_layout_make_no_difference_and_all_else_does(other, same):
    assert (shape(other) == shape(ANSWER)) is same


@pytest.mark.parametrize("source", ["def f(:\n  pass", "x = " + "(" * 9000, "-" * 20_000 + "1", "1+" * 9000 + "1", "\0",
                                    "\ud800"])
def test_what_is_no_python_or_too_deep_is_compared_by_its_words(source):
    assert shape(source) == shape(f"  {source}\n\n") != shape(source + "x")
