"""The judge of `train`: what the parameters that came are worth, and which slip of a training loop they look like."""
from __future__ import annotations

import numpy as np

from nwlab.exercises.own_pooling import problems as p
from nwlab.checks.item import Complaint
from nwlab.exercises.own_pooling.probes import NEVER_ASKED, ONCE, PARAMETERS


def judge_training(problems, answers):
    """Parameters (24,) after so many steps, for a Gaussian with w = exp(parameters[0])."""
    at = {problem.name: i for i, problem in enumerate(problems)}
    for i, parameters in enumerate(answers):
        if isinstance(parameters, str) and parameters == NEVER_ASKED:
            return Complaint("it does not use the pooling that is handed over", "`attend` is an argument here. Hand it on to "
                             "left_out_loss: the check trains a pooling of its own", i)
        if isinstance(parameters, str) and parameters == ONCE:
            return _loss_once(i)
        if not isinstance(parameters, np.ndarray) or parameters.shape != (PARAMETERS,):
            return Complaint(f"the {PARAMETERS} parameters were asked, something else came", "return `parameters`, not the loss and "
                             "not a list of all steps", i, f"a tensor of shape ({PARAMETERS},)")
        if not np.all(np.isfinite(parameters)):
            return Complaint("the parameters have become NaN or infinite", "is the loss finite at every step? Print it", i)
    if np.any(np.abs(answers[at[p.NO_STEP]]) > 1e-12):
        return Complaint("it does not begin with zeros, or ignores `steps`", f"start from {PARAMETERS} zeros, and walk `steps` "
                         "steps, also if that is none", at[p.NO_STEP], f"{PARAMETERS} zeros")
    if not np.any(answers[at[p.AT_ONCE]]):
        return Complaint("nothing was learned: the parameters are still 0", "three things happen in a step: the old slope is cleared, "
                         "the loss goes `backward`, the optimiser takes its step. Which is missing, or is a new tensor trained "
                         "in place of the one that is returned?", at[p.AT_ONCE], "parameters with a smaller loss")
    if np.array_equal(answers[at[p.AT_ONCE]], answers[at[p.ONE_STEP]]):
        return Complaint("a hundred steps end where one step ends", "does `return` stand inside the loop, one step too far to the "
                         "right?", at[p.AT_ONCE], "parameters that have come farther than after one step")
    far, one = (float(answers[at[name]][0]) for name in (p.AT_ONCE, p.ONE_STEP))
    if abs(far) > 3.5 and abs(far - problems[at[p.AT_ONCE]].inputs["steps"] * one) < 1e-3 * abs(far):   # every step is the first one
        return _loss_once(at[p.AT_ONCE])
    for i in (at[p.AT_ONCE], len(problems) - 1):
        if wrong := _badly_trained(problems[i], answers[i]):
            return Complaint(wrong[0], wrong[1], i, wrong[2])


def _loss_once(i):
    return Complaint("the loss must be computed anew in each step", "after a step the parameters are others, and an old loss knows "
                     "nothing of them. Call left_out_loss inside the loop. (retain_graph, which torch's message proposes, would only "
                     "repeat the first slope.)", i, "in each step a new loss, and from it a new slope")


def _badly_trained(problem, parameters):
    """What the loss says of the parameters."""
    keys, values, log_w = problem.inputs["keys"], problem.inputs["values"], float(parameters[0])

    def loss(log_w, itself=False):
        return p.left_out(problem.inputs["attend"], keys, values, float(np.exp(np.clip(log_w, -20, 20))), itself)

    grid = np.linspace(-1.0, 3.5, 200)
    losses = np.array([loss(x) for x in grid])
    best, start, end = losses.min(), loss(0.0), loss(log_w)
    wanted = f"a leave-one-out loss of about {best:.3f}; these parameters have {end:.3f}, the zeros at the start {start:.3f}"
    if end > start * (1 + 1e-6) and log_w < 0:
        return "it walks uphill: the loss is larger than at the start", "go against the slope of the loss: which sign is wrong?", wanted
    if end <= best + 0.1 * (start - best):
        return None
    simulated = simulate(loss, problem.inputs["steps"])
    if abs(simulated - log_w) < 0.05:
        return "the slopes of all steps are added up", ("`backward` adds to the slope that is there. Clear it at the beginning of each "
                                                        "step: the optimiser has a method for that"), wanted
    if log_w > grid[losses.argmin()] + 0.3 and loss(log_w, True) < 0.95 * loss(grid[losses.argmin()], True):
        return "w runs away: each point attends to itself", ("the loss that is made small here is the one with every point's own key "
                                                             "in it. Train with left_out_loss. Does that one hold?"), wanted
    return "it has not arrived: a smaller loss is in reach", ("a hundred steps of Adam with learning rate 0.1 are enough here. Is each "
                                                              "of the three lines in the loop, once?"), wanted


def simulate(loss, steps, rate=0.1) -> float:
    """Where Adam ends if nobody clears the slope: its sum grows from step to step. With torch's default settings."""
    x, total, mean, square = 0.0, 0.0, 0.0, 0.0
    for t in range(1, steps + 1):
        total += (loss(x + 1e-5) - loss(x - 1e-5)) / 2e-5
        mean, square = 0.9 * mean + 0.1 * total, 0.999 * square + 0.001 * total**2
        x -= rate * (mean / (1 - 0.9**t)) / (np.sqrt(square / (1 - 0.999**t)) + 1e-8)
    return float(x)
