"""Text in, notebooks out: the one-way build behind `make build`. README.md says how a source is written.

Read in this order: `source` (text to cells), `exercise` (one source, two editions), `notebook` (cells to a file),
`build` (all of it; `execute` runs a notebook and tidies what it shows).
"""
