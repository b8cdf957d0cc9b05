"""Engineering plots with checkpoint fields (after arXiv 2602.13232)."""
