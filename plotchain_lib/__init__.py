"""PlotChain: a benchmark for models that read plots, rebuilt, re-asked and re-judged at will."""

__version__ = "0.1.0"
