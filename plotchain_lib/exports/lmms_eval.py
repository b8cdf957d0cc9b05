"""A dataset as a task of lmms-eval: a folder with the task's YAML, its functions and its data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from plotchain_lib.exports.folders import by_shard, copy_policies, whole_folder
from plotchain_lib.exports.huggingface import write_parquet
from plotchain_lib.exports.templates import filled
from plotchain_lib.files import write_atomically
from plotchain_lib.item import Item

FUNCTIONS = "utils.py"


def task_name(dataset: str) -> str:
    """The task's name, which lmms-eval separates by commas and matches with wildcards."""
    return "plotchain_" + re.sub(r"\W", "_", dataset)


def task_yaml(dataset: str, policies: Iterable[str]) -> str:
    """The task's configuration. Its functions are named by lmms-eval's own YAML tag."""
    metrics = "".join(
        f"  - metric: {metric}\n    aggregation: mean\n    higher_is_better: true\n"
        for policy in policies
        for metric in (policy, f"{policy}_fields")
    )
    head = {
        "task": task_name(dataset),
        "dataset_path": "parquet",
        # Relative to where lmms-eval is started: in this folder.
        "dataset_kwargs": {"data_files": {"test": "data/test.parquet"}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_target": "answer",
        "generation_kwargs": {"max_new_tokens": 2048, "temperature": 0, "do_sample": False},
    }
    functions = "".join(
        f"{name}: !function utils.{name}\n"
        for name in ("doc_to_visual", "doc_to_text", "process_results")
    )
    metadata = yaml.safe_dump({"metadata": [{"version": 1.0}]})
    return f"{yaml.safe_dump(head, sort_keys=False)}{functions}metric_list:\n{metrics}{metadata}"


def write_task(
    folder: Path,
    name: str,
    items: Iterable[Item],
    pictures: Mapping[str, Path],
    policies: Mapping[str, Iterable[Path]],
) -> None:
    """Write ``{task}.yaml``, ``utils.py``, ``data/test.parquet`` and ``policies/``.

    Arguments and errors are those of `plotchain_lib.exports.inspect_task.write_task`.
    """
    ordered = [item for own in by_shard(items).values() for item in own]
    functions = filled("lmms_eval_utils.py", name, policies)
    with whole_folder(folder) as temporary:
        write_parquet(temporary / "data" / "test.parquet", ordered, pictures)
        copy_policies(temporary, policies)
        write_atomically(temporary / FUNCTIONS, functions)
        write_atomically(temporary / f"{task_name(name)}.yaml", task_yaml(name, policies))
