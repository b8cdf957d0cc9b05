"""Every right letter against the text that was drawn."""

from __future__ import annotations

from plotchain_lib.suites.grab.validation import validation_rows, validation_summary

__all__ = ["validation_rows", "validation_summary"]
