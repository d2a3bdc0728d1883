"""Parzen windows and Nadaraya-Watson classification: the same sign, wherever there is anything to be said."""
from __future__ import annotations

from nwlab.exercises.parzen_equivalence import figures
from nwlab.exercises.parzen_equivalence import mistakes
from nwlab.exercises.parzen_equivalence import problems
from nwlab.checks.item import Exercise, Item

ARGUMENTS = ("x", "keys", "labels", "bandwidth")

KERNEL_TABLE = Item(
    name="kernel_table", title="The kernel of all pairs", points=2, library="any",
    says="k(x, x_i) for every query and key, (m, n): rows are queries, columns are keys",
    arguments=("x", "keys", "bandwidth"), make_problems=problems.table_problems,
    oracle=problems.true_kernel, vectorised=True, sized=problems.without_labels(problems.sized),
    mistakes=mistakes.KERNEL_TABLE,
    hints=("For one x and one key: how far apart are they in units of the bandwidth? Call that u. Then k is a function of u "
           "alone, over h (over h² in the plane).",
           "All pairs at once: give x an axis more, so that (m, 1) meets (1, n) and broadcasts to (m, n). In the plane it is "
           "(m, 1, 2) and (1, n, 2), and the last axis is summed over.",
           "A way for both shapes: reshape x to (m, 1, d) and keys to (1, n, d), take the difference, then the length over "
           "axis 2, divide by the bandwidth. np.maximum keeps the parabola from going below 0."))

DENSITY = Item(
    name="density", title="The Parzen density", points=1, library="any",
    says="p̂(x) = (1/n) Σ k(x, x_i) for every query, (m,)",
    arguments=("x", "keys", "bandwidth"), make_problems=problems.without_labels(problems.problems),
    oracle=problems.true_density, sized=problems.without_labels(problems.sized),
    mistakes=mistakes.DENSITY,
    hints=("You have k(x, x_i) for all pairs. How does one number for each query come out of a row?",
           "The mean along a row: which axis of (m, n) are the keys?",
           "Your kernel_table gives (m, n), and `mean` takes `axis=`: the axis that you name vanishes, and (m,) has to be left. An "
           "empty window needs no special case, as its row is all zeros."))

JOINT = Item(
    name="joint_difference", title="The joint difference", points=2, library="any",
    says="(1/n) Σ y_i k(x, x_i) = p̂(x, +1) − p̂(x, −1) for every query, (m,)",
    arguments=ARGUMENTS, make_problems=problems.problems, oracle=problems.true_joint, sized=problems.sized,
    mistakes=mistakes.JOINT,
    hints=("Compare with the density: the same sum, but each key now counts with its label.",
           "Multiply each column of the kernel table by the label of that column's key, then do as for the density.",
           "(m, n) times (n,) multiplies column by column. A matrix product of (m, n) with (n,) does that and the sum at once; "
           "then one division is left."))

CLASSIFY = Item(
    name="classify", title="The Nadaraya–Watson classifier", points=2, library="any",
    says="the sign of f_NW(x), +1, −1, or 0 at a tie, for every query, (m,), and NaN where no key is in reach",
    arguments=ARGUMENTS, make_problems=problems.class_problems, oracle=problems.true_class, sized=problems.sized,
    mistakes=mistakes.CLASSIFY,
    hints=("f_NW(x) = Σ y_i k / Σ k. Which of your functions is its numerator, up to 1/n, and which its denominator?",
           "The denominator never changes the sign. It matters in one case only: where it is 0.",
           "np.sign knows +1, −1 and 0. np.where takes a condition and two answers: where no key is in reach, what does your density "
           "say exactly?"))

CONDITIONAL = Item(
    name="conditional_difference", title="The class-conditional difference", points=2, library="any",
    says="p̂(x | +1) − p̂(x | −1), each class divided by its own number of keys, (m,): 0 where no key is in reach, and NaN "
         "everywhere only if a class has no keys",
    arguments=ARGUMENTS, make_problems=problems.problems, oracle=problems.true_conditional, sized=problems.sized,
    mistakes=mistakes.CONDITIONAL,
    hints=("You have written a density already. Of which keys would p̂(x | +1) be the density?",
           "keys[labels > 0] are the keys of one class, and your density divides by their number by itself. Or: two sums over "
           "all keys, each divided by its class's count.",
           "The difference of two calls of density. The mean of an empty array warns and gives NaN; testing first whether a class "
           "is empty, and answering with np.full, is cleaner."))

DISAGREE = Item(
    name="disagree", title="Where the verdicts differ", points=2, library="any",
    says="for every query true where joint and class-conditional difference have opposite signs, (m,), true or false",
    arguments=ARGUMENTS, make_problems=problems.problems, oracle=problems.true_disagree, sized=problems.sized,
    mistakes=mistakes.DISAGREE,
    hints=("Two numbers have opposite signs when their product is ...?",
           "What does your condition say where one of them is 0 or NaN? Try np.nan < 0 and np.nan != np.nan in a cell.",
           "Try three products in a cell: 0.2 * -0.3, 0.0 * 0.5 and np.nan * 0.5. Which comparison with 0 is true for the first of "
           "them alone?"))

exercise = Exercise("parzen_equivalence", "Parzen windows and the Nadaraya–Watson classifier",
                    items=(KERNEL_TABLE, DENSITY, JOINT, CLASSIFY, CONDITIONAL, DISAGREE))
show_density = exercise.figure(figures.show_density)
show_classes = exercise.figure(figures.show_classes)
show_boundaries = exercise.figure(figures.show_boundaries)
exercise.publish(globals())
