'''The engine of the exercises: problems, answers, verdict, report.

Writing an exercise
-------------------
A package in nwlab/exercises, named like the exercise, and its name in NAMES there. A complete one::

    """Average pooling, once by hand."""
    import numpy as np

    from nwlab.checks import Exercise, Item, Mistake, Problem
    from nwlab.checks.notebook import publish


    def problems(rng):                                   # always as many, for every seed; edge cases among them
        yield Problem("three values by hand", {"values": np.array([1.0, 2.0, 6.0])})
        yield Problem("twenty values", {"values": rng.normal(size=20)})
        yield Problem("one value", {"values": rng.normal(size=1)}, why="the mean of one value is that value")
        yield Problem("float32", {"values": rng.normal(size=5).astype(np.float32)})


    def oracle(values):                                  # plain loops or a formula, not the function of nwlab
        return sum(float(v) for v in values) / len(values)


    MEAN = Item(
        name="average", title="Average pooling", points=1,
        returns="the mean of the values, one number",    # follows "It returns: ", so no full stop
        arguments=("values",), make_problems=problems, oracle=oracle,
        mistakes=(
            Mistake("the median, not the mean", "which of the two uses every value?", wrong=lambda values: np.median(values)),
        ),
        sized=lambda rng, n: {"values": rng.normal(size=n)},     # optional: two more problems, on which loops are seen
    )

    EXERCISE = Exercise("average_pooling", "Average pooling", items=(MEAN,))
    publish(globals(), EXERCISE, figures)                # check_average, hint, progress, hand_in, ITEMS, EXERCISE, show_average

and beside it figures.py, whose functions called show_* the notebook calls without the figure::

    def show_average(figure, average):                   # the notebook calls show_average(average)
        """Your average beside the mean of the values."""        # the first line is what a screen reader says
        values = np.array([1.0, 2.0, 6.0])
        yours, right = figure.subplots(1, 2, sharey=True)
        for ax, mean, title in ((yours, average(values), "yours"), (right, oracle(values), "what it should look like")):
            ax.plot(values, "o")
            ax.axhline(mean)
            ax.set_title(title)

and hints.md, three for each item, from a nudge to nearly there, never the answer::

    ## average

    1. What does each value count?
    2. All count alike: which number do you divide the sum by?
    3. Add the values, then divide by how many there are: NumPy has one function for it.

What is true of every item
    * The core runs the function on copies, catches prints, warnings and exceptions, and names, for any item: a stub, other
      arguments, an exception, None, a function of nwlab (but for `may_use`), changed inputs, the wrong library or kind, a
      constant, wrong shapes, NaN, a constant factor or offset, a sign. An item adds the mistakes of its own subject.
    * A `Mistake` is recognised if the student gives its wrong answer on *every* problem where that differs from the right
      one, and the right answer on the others. So let the problems tell: m and n differ, bandwidths are not 1, classes not
      balanced. Its `wrong` may return another shape, or raise what the student's code would raise. The first that fits wins.
    * Problems stay clear of what rounding may decide: ties, signs of numbers near 0. Tolerances follow the dtype.
    * An oracle may return an array, a number, a bool, a text, or a tuple or dict of these. NaN must be answered by NaN.
      `library="torch"` hands tensors to the student; oracle and mistakes get NumPy float64 in any case.
    * `vectorised=True` (with `sized`) refuses loops in Python; otherwise they pass, with a remark if `sized` is there.
    * For an open-ended item give `own_judge(problems, answers) -> Complaint | None` (plain data: arrays, numbers, tuples)
      beside, or instead of, the oracle. It is asked when nothing generic is wrong.
    * Keep torch, matplotlib and slow work out of the module's top level: import them inside functions.

Its tests: tests/exercises/answers/NAME.py with RIGHT and WRONG answers for each item; see tests/exercises/test_answers.py.
'''
from nwlab.checks.item import Complaint, Exercise, Item, Mistake, Problem, Verdict
from nwlab.checks.messages import CheckFailed

__all__ = ["CheckFailed", "Complaint", "Exercise", "Item", "Mistake", "Problem", "Verdict"]
