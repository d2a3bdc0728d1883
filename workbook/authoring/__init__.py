"""Text in, notebooks out: the one-way build behind ``make build``.

Only the text is edited. ``notebooks/source/NN_name.md`` (MyST Markdown, read by jupytext) becomes
``notebooks/NN_name.ipynb``, executed, with its outputs stored. Nothing is ever read back from a notebook but pictures
that are still true. How it is done, in this order: ``source`` (text to cells), ``marks`` and ``exercise`` (one source,
two editions), ``notebook`` (cells to a file), ``build`` (all of it; it runs them with ``execute`` and ``outputs``).

How a source is written stands in README.md, beside this file.
"""
