"""Grade a class: the answers of each submission are run in a sandbox, and judged outside of it.

From a submission to a page: `uploads` reads the files; `collect` finds whose they are; `grade` hands each notebook to a
worker; `rebuild` puts its cells in order; `mark` has the `sandbox` run the answers among them (`inside`), reads what
comes out (`wire`) and judges it; `results` keeps that; `report` makes `tables` and pages of it, with the points of
`manual`, and `feedback` the files that go back. `autograder` is all of this in a container of Gradescope's.
"""
