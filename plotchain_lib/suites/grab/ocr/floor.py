"""The blind floor of the questions on text: one letter for all."""

from __future__ import annotations

from plotchain_lib.suites.grab.choice.floor import constant_letter

__all__ = ["constant_letter"]
