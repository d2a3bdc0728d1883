"""Parzen windows and Nadaraya-Watson classification: the same sign, wherever there is anything to be said."""
from __future__ import annotations

from nwlab.exercises.parzen_equivalence import figures
from nwlab.exercises.parzen_equivalence import mistakes
from nwlab.exercises.parzen_equivalence import problems
from nwlab.checks.notebook import publish
from nwlab.checks.item import Exercise, Item

ARGUMENTS = ("x", "keys", "labels", "bandwidth")

KERNEL_TABLE = Item(
    name="kernel_table", title="The kernel of all pairs", points=2, library="any",
    returns="k(x, x_i) for every query and key, (m, n): rows are queries, columns are keys",
    arguments=("x", "keys", "bandwidth"), make_problems=problems.table_problems,
    oracle=problems.true_kernel, vectorised=True, sized=problems.without_labels(problems.sized),
    mistakes=mistakes.KERNEL_TABLE)

DENSITY = Item(
    name="density", title="The Parzen density", points=1, library="any",
    returns="p̂(x) = (1/n) Σ k(x, x_i) for every query, (m,)",
    arguments=("x", "keys", "bandwidth"), make_problems=problems.without_labels(problems.problems),
    oracle=problems.true_density, sized=problems.without_labels(problems.sized),
    mistakes=mistakes.DENSITY)

JOINT = Item(
    name="joint_difference", title="The joint difference", points=2, library="any",
    returns="(1/n) Σ y_i k(x, x_i) = p̂(x, +1) − p̂(x, −1) for every query, (m,)",
    arguments=ARGUMENTS, make_problems=problems.problems, oracle=problems.true_joint, sized=problems.sized,
    mistakes=mistakes.JOINT)

CLASSIFY = Item(
    name="classify", title="The Nadaraya–Watson classifier", points=2, library="any",
    returns="the sign of f_NW(x), +1, −1, or 0 at a tie, for every query, (m,), and NaN where no key is in reach",
    arguments=ARGUMENTS, make_problems=problems.class_problems, oracle=problems.true_class, sized=problems.sized,
    mistakes=mistakes.CLASSIFY)

CONDITIONAL = Item(
    name="conditional_difference", title="The class-conditional difference", points=2, library="any",
    returns="p̂(x | +1) − p̂(x | −1), each class divided by its own number of keys, (m,): 0 where no key is in reach, and NaN "
         "everywhere only if a class has no keys",
    arguments=ARGUMENTS, make_problems=problems.problems, oracle=problems.true_conditional, sized=problems.sized,
    mistakes=mistakes.CONDITIONAL)

DISAGREE = Item(
    name="disagree", title="Where the verdicts differ", points=2, library="any",
    returns="for every query true where joint and class-conditional difference have opposite signs, (m,), true or false",
    arguments=ARGUMENTS, make_problems=problems.problems, oracle=problems.true_disagree, sized=problems.sized,
    mistakes=mistakes.DISAGREE)

EXERCISE = Exercise("parzen_equivalence", "Parzen windows and the Nadaraya–Watson classifier",
                    items=(KERNEL_TABLE, DENSITY, JOINT, CLASSIFY, CONDITIONAL, DISAGREE))
publish(globals(), EXERCISE, figures)
