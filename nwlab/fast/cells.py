"""Compact kernels in the plane and in space: a grid of cells as wide as the kernel reaches, and only the cells around.

Keys are sorted by cell, row by row, so that the cells around a query are 3^(d-1) runs of keys, of three cells each.
"""
import itertools

import numpy as np


def sort_by_cell(queries, keys, reach):
    """An order of the keys (n,), and for each query the runs of sorted keys around it: first, last (m, 3^(d-1))."""
    low, extent = np.min(keys, axis=0).astype(float), np.ptp(keys, axis=0).astype(float)
    side = np.maximum(reach * (1 + 1e-6), extent * 2.0**-19)                        # so that 3 numbers fit into one
    size = np.floor(extent / side).astype(np.int64) + 5                             # two empty cells at either end
    with np.errstate(over="ignore"):
        of_keys = np.floor((keys - low) / side).astype(np.int64) + 2                # (n, d)
        of_queries = np.clip(np.floor((queries - low) / side), -1, size - 4).astype(np.int64) + 2       # (m, d)
    number = np.ravel_multi_index(tuple(of_keys.T), size)
    order = np.argsort(number, kind="stable")
    around = np.array([(*step, 0) for step in itertools.product((-1, 0, 1), repeat=keys.shape[1] - 1)])
    center = np.ravel_multi_index(tuple(np.moveaxis(of_queries[:, None, :] + around, -1, 0)), size)
    return (order, np.searchsorted(number[order], center - 1),
            np.searchsorted(number[order], center + 1, side="right"))
