"""Text in, notebooks out: the one-way build behind ``make build``.

Only the text is edited. ``notebooks/source/NN_name.md`` (MyST Markdown, read by jupytext) becomes
``notebooks/NN_name.ipynb``, executed, with its outputs stored. Nothing is ever read back from a notebook but
pictures that are still true.

A lesson's source
-----------------
::

    ---
    jupytext:
      text_representation: {extension: .md, format_name: myst}
    kernelspec: {display_name: Python 3, language: python, name: python3}
    nwlab:
      title: Averages and neighbours            # the table of notebooks shows these three
      summary: The two ends of every pooling - use all the values alike, or only the nearest one.
      minutes: 25
    ---

    # Averages and neighbours

    Prose. A code cell ends a prose cell; a line `+++` splits one prose cell into two.

    ## Three points by hand

    ```{code-cell} python
    :name: three-points

    keys = np.array([1.0, 2.0, 4.0])
    ```

    More prose: every code cell is introduced by a prose cell.

    ```{code-cell} python
    :tags: [nbval-ignore-output]

    nwlab.plots.fit(data)
    ```

Names and cell ids
    A code cell's optional ``:name:`` becomes its cell id (letters, digits, ``-`` and ``_``, at most 64, unique).
    Other ids come from the nearest heading above: the prose cell that opens with ``## Three points by hand`` is
    ``three-points-by-hand``, what follows it is ``three-points-by-hand-code-1``, ``...-text-1``, ``...-code-2``.
    Editing one section therefore leaves the ids of all others alone.

Tags
    ``nbval-ignore-output``  needed by every cell that shows a picture or a widget, or text that may vary; the build
                             stops at an untagged one. Untagged text is compared letter by letter by nbval.
    ``raises-exception``     this cell shows an error on purpose. nbval checks nothing in or after it, so prefer
                             ``try: ... except ValueError as error: print(error)``.
    ``stderr-on-purpose``    this cell may write to stderr; elsewhere a warning stops the build.
    ``hide-input``, ``remove-input`` and the like may be used freely.

Tokens in prose, replaced when the notebook is derived (also in README.md, between its ``<!-- nwlab:... -->`` marks)
    ``{{repository}}``              the public address in pyproject.toml, [project.urls] Repository
    ``{{binder:01_averages}}``      the address that opens that notebook on Binder
    ``{{binder_badge:01_averages}}``  Binder's badge, linked to it
    ``{{notebook_table}}``          the table of notebooks: title, what, minutes, Binder

Outputs
    Widget views are dropped: a stored notebook shows the picture (``image/png``) and the text of the same output. A
    figure or widget without a picture stops the build. A picture is rewritten only when the code up to its cell or the
    package changed *and* its pixels did.

An exercise's source
--------------------
``solutions/source/NAME.md`` is written as its solution and becomes two notebooks: ``solutions/NAME.ipynb``, executed,
and ``exercises/NAME.ipynb``, the student's, without outputs. It is a lesson's source with four more things:

    A cell that the student has to write. In the student's notebook the lines from mark to mark are one line that raises
    ``NotImplementedError``; what stands around them is given. Marks stand inside a function.

    ```{code-cell} python
    def double(number):
        ### BEGIN SOLUTION
        return 2 * number
        ### END SOLUTION
    ```

    A check, alone in its cell; its points are those of ``ITEMS`` in nwlab/exercises/NAME.py.

    ```{code-cell} python
    NAME.check_double(double)
    ```

    A question to be answered in words, with a model answer, for a person to grade.

    <!-- BEGIN SOLUTION (2 points) -->
    Because ...
    <!-- END SOLUTION -->

Tags ``student-only`` and ``solution-only`` keep a cell out of the other edition. A line of an answer that stands anywhere
else in the student's notebook stops the build; a worked example that is to show one has the tag ``worked``. These three
kinds of cells get ids from their item or function (``check-double``, ``write-double``, ``answer``) and nbgrader's
metadata, schema 3.
"""
