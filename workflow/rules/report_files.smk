"""The files behind the report: which ones its rules read, by what they are for."""

# What not every dataset has.
REPORTED = ("certificate", "validation", "validation_summary")


def tables_of_report(_wildcards):
    """Every table the figures and the page are made from."""
    files = []
    for entry in report_inputs(PLAN)["datasets"].values():
        files += [*entry["scores"].values(), *entry["significance"].values()]
        files += [entry["run"]]
        files += [path for models in entry["answers"].values() for path in models.values()]
        files += [*entry.get("episodes", {}).values(), *entry.get("submissions", {}).values()]
        files += [entry[key] for key in REPORTED if entry[key]]
    return files


def browser_files(_wildcards):
    """The files of the item browser alone; tables of episodes are among those of the report."""
    files = []
    for entry in report_inputs(PLAN)["datasets"].values():
        browser = entry["browser"]
        files += [*browser["items"], *browser["replies"].values(), *browser["pictures"].values()]
        files += [browser["overlays"]] if browser["overlays"] else []
    return files


def bundled_pictures(_wildcards):
    """Dataset to its pictures as they were rendered."""
    return {
        dataset: found_pictures(dataset, entry.shard_of) for dataset, entry in PLAN.datasets.items()
    }
