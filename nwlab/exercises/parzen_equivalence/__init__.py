"""Parzen windows and Nadaraya-Watson classification: the same sign, wherever there is anything to be said."""
from nwlab.checks.item import Exercise, Item
from nwlab.checks.notebook import publish
from nwlab.exercises.parzen_equivalence import figures, mistakes, problems

UNLABELLED = {"arguments": ("x", "keys", "bandwidth"), "sized": problems.without_labels(problems.sized)}
LABELLED = {"arguments": ("x", "keys", "labels", "bandwidth"), "sized": problems.sized}

EXERCISE = Exercise("parzen_equivalence", "Parzen windows and the Nadaraya–Watson classifier", items=(
    Item(name="kernel_table", title="The kernel of all pairs", points=2, library="any", **UNLABELLED,
         returns="k(x, x_i) for every query and key, (m, n): rows are queries, columns are keys",
         make_problems=problems.table_problems, oracle=problems.true_kernel, vectorised=True,
         mistakes=mistakes.KERNEL_TABLE),
    Item(name="density", title="The Parzen density", points=1, library="any", **UNLABELLED,
         returns="p̂(x) = (1/n) Σ k(x, x_i) for every query, (m,)",
         make_problems=problems.without_labels(problems.problems), oracle=problems.true_density,
         mistakes=mistakes.DENSITY),
    Item(name="joint_difference", title="The joint difference", points=2, library="any", **LABELLED,
         returns="(1/n) Σ y_i k(x, x_i) = p̂(x, +1) − p̂(x, −1) for every query, (m,)",
         make_problems=problems.problems, oracle=problems.true_joint, mistakes=mistakes.JOINT),
    Item(name="classify", title="The Nadaraya–Watson classifier", points=2, library="any", **LABELLED,
         returns="the sign of f_NW(x), +1, −1, or 0 at a tie, for every query, (m,), and NaN where no key is in reach",
         make_problems=problems.class_problems, oracle=problems.true_class, mistakes=mistakes.CLASSIFY),
    Item(name="conditional_difference", title="The class-conditional difference", points=2, library="any", **LABELLED,
         returns="p̂(x | +1) − p̂(x | −1), each class divided by its own number of keys, (m,): 0 where no key is in "
                 "reach, and NaN everywhere only if a class has no keys",
         make_problems=problems.problems, oracle=problems.true_conditional, mistakes=mistakes.CONDITIONAL),
    Item(name="disagree", title="Where the verdicts differ", points=2, library="any", **LABELLED,
         returns="for every query true where joint and class-conditional difference have opposite signs, (m,), true "
                 "or false",
         make_problems=problems.problems, oracle=problems.true_disagree, mistakes=mistakes.DISAGREE),
))
publish(globals(), EXERCISE, figures)
