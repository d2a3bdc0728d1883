"""What nbval does with the notebooks of this workbook. A pytest plug-in, for nbval only.

In a student's notebook what counts is whether a check raises: outputs are the student's own and not compared, and no
tag or comment switches a check off. In any notebook a cell that ran out of time fails: nbval interrupts it, and code
that takes the interrupt for Ctrl-C ("stop early, keep what you have") would pass, unfinished.
"""
import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        metadata = getattr(getattr(item.parent, "nb", None), "metadata", {})
        if metadata.get("workbook", {}).get("edition") != "student" or not hasattr(item, "cell"):
            continue
        item.options["check"] = False
        if item.cell.metadata.get("nbgrader", {}).get("locked"):
            item.options["skip"] = item.options["check_exception"] = False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    before = getattr(item.parent, "timed_out", None)            # of nbval's notebooks; None for any other test
    result = yield                                              # raises where the cell failed
    if before is False and item.parent.timed_out:
        name = item.cell.metadata.get("name") or item.cell.get("id", "")
        pytest.fail(f"{item.nodeid} ({name}) ran longer than {item.config.option.nbval_cell_timeout:g} seconds and was "
                    "interrupted: it did not finish, even though it raised nothing", pytrace=False)
    return result
