"""The same items, prompts, pictures and judging in the formats of other tools, and back.

`huggingface`, `inspect_task`, `vlmevalkit` and `lmms_eval` write a dataset, `croissant` what
describes one, `results` answers and scores; `judge` judges one reply as the pipeline does, for the
tasks that run elsewhere; `from_inspect` turns a log of Inspect into recorded answers. No module
here imports `datasets`, `inspect_ai` or `mlcroissant` before it is asked to.
"""
