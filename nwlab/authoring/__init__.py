"""Text in, notebooks out: the one-way build behind ``make build``.

Only the text is edited. ``notebooks/source/NN_name.md`` (MyST Markdown, read by jupytext) becomes
``notebooks/NN_name.ipynb``, executed, with its outputs stored. Nothing is ever read back from a notebook but pictures
that are still true. How it is done, in this order: ``source`` (text to cells), ``marks`` and ``exercise`` (one source,
two editions), ``notebook`` (cells to a file), ``build`` (all of it; it runs them with ``execute`` and ``outputs``).

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

    Every code cell is introduced by a prose cell.

    ```{code-cell} python
    :name: three-points
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
    ``{{notebook_table}}``, ``{{exercise_table}}``  title, what, minutes, Binder of each

An exercise's source
--------------------
``solutions/source/NAME.md`` is written as its solution and becomes two notebooks: ``solutions/NAME.ipynb``, executed,
and ``exercises/NAME.ipynb``, the student's, without outputs. It is a lesson's source with three kinds of cells more::

    ```{code-cell} python
    def double(number):                          # what the student writes stands between marks, inside a function;
        ### BEGIN SOLUTION                       # there it becomes one line that raises NotImplementedError
        return 2 * number
        ### END SOLUTION
    ```

    ```{code-cell} python
    NAME.check_double(double)                    # alone in its cell; nwlab.exercises.NAME says what it is worth
    ```

    <!-- BEGIN SOLUTION (2 points) -->           a model answer, for a person to grade, to a question in words
    Because ...
    <!-- END SOLUTION -->

Tags ``student-only`` and ``solution-only`` keep a cell out of the other edition. A line of an answer that stands
anywhere else in the student's notebook stops the build; a worked example that is to show one has the tag ``worked``.
These three kinds of cells get ids from their item or function (``check-double``, ``write-double``, ``answer``) and
nbgrader's metadata, schema 3.
"""
