"""A reply's text becomes an object, a number, and the form it was found in.

`numbers` reads one number with its unit, `objects` finds the object in a reply, `responses` turns
response files into the table of answers and the facts of a run. Text is only ever matched, never
evaluated, and every step takes time linear in the length of the reply.
"""

from plotchain_lib.parse.numbers import read_number
from plotchain_lib.parse.objects import Form, Mode, Reading, parse_object
from plotchain_lib.parse.responses import (
    extraction_items,
    parse_responses,
    read_responses,
    run_facts,
)

__all__ = [
    "Form",
    "Mode",
    "Reading",
    "extraction_items",
    "parse_object",
    "parse_responses",
    "read_number",
    "read_responses",
    "run_facts",
]
