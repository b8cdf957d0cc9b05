"""Importing an author's own figure: the script is run and recorded, its figure becomes a task.

`start`, `record`, `lenient` and `stubs` run inside the sandbox, under the author's interpreter,
and need nothing but NumPy and Matplotlib; the rest runs outside.
"""
