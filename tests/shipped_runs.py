"""Train the runs of the live figure of notebook 09 anew: python tests/shipped_runs.py, in about two minutes."""
import numpy as np

from nwlab.labs.in_context import train
from nwlab.labs.in_context_yardstick import CONTEXTS, FILE, NOISES, STEPS, replay


def make_file(path=FILE, noises=NOISES, contexts=CONTEXTS) -> None:
    """Write arrays whose first two axes are the noise and n."""
    rows = [[replay(train(noise, n, seed=0), STEPS) for n in contexts] for noise in noises]
    arrays = {name: [[r.parameters[name] for r in row] for row in rows] for name in rows[0][0].parameters}
    for name in ("errors", "spreads", "kernel_errors", "bayes"):
        arrays[name] = [[getattr(r, name) for r in row] for row in rows]
    np.savez_compressed(path, **{name: np.array(x, dtype=np.float32) for name, x in arrays.items()})


if __name__ == "__main__":
    make_file()
