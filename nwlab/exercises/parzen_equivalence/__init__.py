"""Parzen windows and Nadaraya-Watson classification: the same sign, wherever a key is in reach."""
from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.parzen_equivalence import figures, mistakes, problems

UNLABELLED = {"arguments": ("x", "keys", "bandwidth"), "make_problems": problems.windows,
              "inputs": problems.UNLABELLED, "library": "any"}
LABELLED = {"arguments": problems.GIVEN, "inputs": problems.LABELLED, "library": "any"}

EXERCISE = Exercise(__name__, "Parzen windows and the Nadaraya–Watson classifier", (
    Item("kernel_table", "The kernel of all pairs",
         "k(x, x_i) for every query and key, (m, n): rows are queries, columns are keys", points=2,
         oracle=problems.true_kernel, loops=False,
         mistakes=mistakes.KERNEL_TABLE, **UNLABELLED),
    Item("density", "The Parzen density", "p̂(x) = (1/n) Σ k(x, x_i) for every query, (m,)",
         oracle=problems.true_density, mistakes=mistakes.DENSITY, **UNLABELLED),
    Item("joint_difference", "The joint difference",
         "(1/n) Σ y_i k(x, x_i) = p̂(x, +1) − p̂(x, −1) for every query, (m,)", points=2,
         make_problems=problems.two_classes, oracle=problems.true_joint, mistakes=mistakes.JOINT, **LABELLED),
    Item("classify", "The Nadaraya–Watson classifier", "the sign of f_NW(x), +1, −1, or 0 at a tie, for every query, "
         "(m,), and NaN where no key is in reach", points=2,
         make_problems=problems.ties, oracle=problems.true_class, mistakes=mistakes.CLASSIFY, **LABELLED),
    Item("conditional_difference", "The class-conditional difference", "p̂(x | +1) − p̂(x | −1), each class divided by "
         "its own number of keys, (m,): 0 where no key is in reach, and NaN everywhere only if a class has no keys",
         points=2, make_problems=problems.two_classes, oracle=problems.true_conditional, mistakes=mistakes.CONDITIONAL,
         **LABELLED),
    Item("disagree", "Where the verdicts differ", "for every query true where joint and class-conditional difference "
         "have opposite signs, (m,), true or false", points=2,
         make_problems=problems.two_classes, oracle=problems.true_disagree, mistakes=mistakes.DISAGREE, **LABELLED)))
publish(globals(), EXERCISE, figures)
