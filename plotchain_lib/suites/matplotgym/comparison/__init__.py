"""Comparing two specs: values, matching of series and panels, and the parts of each decision."""
