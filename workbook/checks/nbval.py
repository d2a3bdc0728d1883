"""What nbval does with the notebooks of this workbook. A pytest plug-in, for nbval only.

In a student's notebook what counts is whether a check raises: outputs are the student's own and not compared, and no
tag or comment switches a check off. In any notebook a cell that ran out of time fails: nbval interrupts it, and code
that takes the interrupt for Ctrl-C ("stop early, keep what you have") would pass, unfinished. And the cells of a
notebook stay together in their order where another plug-in shuffles the tests.
"""
import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items):
    result = yield                                              # what shuffles has done so
    notebooks = {}
    for item in items:
        if not hasattr(item, "cell"):
            continue
        notebooks.setdefault(item.parent, []).append(item)
        if item.parent.nb.metadata.get("workbook", {}).get("edition") != "student":
            continue
        item.options["check"] = False
        if item.cell.metadata.get("nbgrader", {}).get("locked"):
            item.options["skip"] = item.options["check_exception"] = False
    for cells in notebooks.values():
        cells.sort(key=lambda item: item.cell_num)
    items[:] = [one for item in items
                for one in (notebooks.pop(item.parent, []) if hasattr(item, "cell") else [item])]
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    before = getattr(item.parent, "timed_out", None)            # of nbval's notebooks; None for any other test
    result = yield                                              # raises where the cell failed
    if before is False and item.parent.timed_out:
        name = item.cell.metadata.get("name") or item.cell.get("id", "")
        pytest.fail(f"{item.nodeid} ({name}) ran longer than {item.config.option.nbval_cell_timeout:g} seconds and was "
                    "interrupted: it did not finish, even though it raised nothing", pytrace=False)
    return result
