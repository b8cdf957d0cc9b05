"""Analysis of synthetic graphs with one short answer each (after arXiv 2408.11817)."""
