"""Every right letter against the option that a second measurement of the picture gives."""

from __future__ import annotations

from plotchain_lib.suites.grab.validation import validation_rows, validation_summary

__all__ = ["validation_rows", "validation_summary"]
