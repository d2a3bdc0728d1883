"""Grade a class: only the answers of a submission are taken, run in a sandbox, and judged outside of it.

From a submission to a page: `uploads` reads the files; `collect` finds whose they are; `grade` hands each notebook to a
worker; `rebuild` puts its answers into the exercise as it was handed out; `mark` has the `sandbox` run them (`inside`),
reads what comes out (`wire`) and judges it; `results` keeps that; `report` makes `tables` and pages of it, with the
points of `manual`.
"""
