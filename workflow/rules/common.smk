"""What every stage shares: the checked configuration and the providers of its slices."""

import atexit
import gc
import json
import os
import re
import shutil
import sys
from pathlib import Path

import yaml

from plotchain_lib import configuration, models, query, suites
from plotchain_lib.fingerprint import fingerprint
from plotchain_lib.files import left_behind, pending_responses, write_json
from plotchain_lib.item import PlotChainError
from plotchain_lib.plan import Plan
from plotchain_lib.report_plan import report_inputs

# Snakemake's graph of thousands of jobs stays alive to the end: collecting garbage in it again and
# again finds none and costs a sixth of every start.
gc.set_threshold(200_000, 50, 50)

CONFIG_FILE = ", ".join(os.path.relpath(path) for path in workflow.configfiles)

try:
    schema = yaml.safe_load(
        Path(workflow.basedir, "workflow/schemas/config.schema.yaml").read_text()
    )
    configuration.check(config, schema, CONFIG_FILE)
    PLAN = Plan(config, CONFIG_FILE, Path("config/policies"))
except PlotChainError as error:
    sys.exit(f"plotchain: {error}")

GENERATED = [name for name, entry in PLAN.datasets.items() if entry.release is None]
RELEASED = [name for name, entry in PLAN.datasets.items() if entry.release is not None]
# Datasets whose items are episodes, not questions.
PLAYED = [name for name in PLAN.datasets if PLAN.player(name)]
ASKED = [name for name in PLAN.datasets if name not in PLAYED]
# The modules of a suite of episodes that make tables of them.
REDRAWN = ("submissions", "episodes")
SHARDS = sorted({shard for entry in PLAN.datasets.values() for shard in entry.shards})
ITEMS = "[A-Za-z0-9][A-Za-z0-9._-]*"


def one_of(names):
    """A wildcard pattern that matches just these names."""
    return "|".join(re.escape(name) for name in names) or "(?!)"


wildcard_constraints:
    dataset=one_of(PLAN.datasets),
    shard=one_of(SHARDS),
    model=one_of(PLAN.models),
    item=ITEMS,
    repeat=r"\d+",
    parsing="figure|paper|text|tolerant",
    policy=r"[A-Za-z0-9][A-Za-z0-9._-]*",


def suite_of(wildcards):
    """The suite of a rule's dataset."""
    return PLAN.datasets[wildcards.dataset].suite


def maker_of(wildcards):
    """The suite, or the variant of it, that makes a rule's dataset."""
    return PLAN.datasets[wildcards.dataset].maker


def code_of_shard(dataset, shard, stage):
    """The fingerprint of one stage's modules, of the shard's own, and of the files behind it."""
    entry = PLAN.datasets[dataset]
    own = suites.load(entry.maker).shard_modules(shard)
    modules = fingerprint(f"plotchain_lib.suites.{entry.maker}.{stage}", *own)
    return modules + suites.shard_data(entry.maker, shard, entry.options)


def shard_code(stage):
    """As `code_of_shard`, of the shard of a rule."""
    return lambda wildcards: code_of_shard(wildcards.dataset, wildcards.shard, stage)


def alike_shards():
    """Each generated dataset's shards in groups whose pictures have the same names.

    Gives dataset, names (with the shard's own as a wildcard) and shards of each group.
    """
    groups = {}
    for dataset in GENERATED:
        for shard, items in PLAN.datasets[dataset].shards.items():
            names = tuple(item.replace(f"{shard}_", "{shard}_", 1) for item in items)
            groups.setdefault((dataset, names), []).append(shard)
    return [(dataset, names, shards) for (dataset, names), shards in groups.items()]


def render_name(dataset, names, shards):
    """The name of the rule that draws the pictures of these shards."""
    if PLAN.datasets[dataset].count:
        return f"render_{dataset}"
    numbered = all(name.startswith("{shard}_") for name in names)
    return f"render_{dataset}_{len(names) if numbered else shards[0]}"


def relation_modules(wildcards):
    """The modules of a suite and its shards, which declare how fields follow from others."""
    name = suite_of(wildcards)
    suite = suites.load(name)
    own = [module for shard in suite.shards() for module in suite.shard_modules(shard)]
    released = [f"plotchain_lib.suites.{name}.published"] if suites.has_releases(name) else []
    return [*released, *own]


def score_code(wildcards):
    """The fingerprint of judging: the rules, and the relations that every shard may declare."""
    shared = ("plotchain_lib.suites.verdicts", judging_module(wildcards))
    return fingerprint(*shared, *relation_modules(wildcards))


def judging_module(wildcards):
    """The module that says how a suite's replies are read and judged."""
    return f"plotchain_lib.suites.{suite_of(wildcards)}.judging"


def drawn_of(wildcards):
    """What a suite reads beside the replies: the figures of episodes, and their references."""
    dataset, model = wildcards.dataset, wildcards.model
    if dataset not in PLAYED:
        return []
    return [f"results/{dataset}/submissions/{model}.parquet", *geometries_of(wildcards)]


def policy_files(wildcards):
    """The policy's file and those it extends."""
    return PLAN.policy_files(suite_of(wildcards), wildcards.policy)


def pictures_of(wildcards):
    """Every generated picture of a dataset."""
    shards = PLAN.datasets[wildcards.dataset].shards
    return [path for shard in shards for path in PLAN.pictures(wildcards.dataset, shard)]


def geometries_of(wildcards):
    """The geometry of every shard's pictures."""
    shards = PLAN.datasets[wildcards.dataset].shards
    return [f"results/{wildcards.dataset}/images/{shard}.geometry.json" for shard in shards]


def headline_scores(wildcards):
    """The verdicts under the policy that leads."""
    headline = PLAN.policies(suite_of(wildcards))[0]
    return f"results/{wildcards.dataset}/scores/{headline}.parquet"


def only_generated(wildcards, files):
    """These files of a generated dataset; a release has none such."""
    return files if wildcards.dataset in GENERATED else []


def found_pictures(dataset, items):
    """The pictures of these items; a release may lack some."""
    paths = [PLAN.picture(dataset, item) for item in items]
    return [path for path in paths if dataset in GENERATED or os.path.isfile(path)]


def released_pictures(wildcards):
    """The pictures of a release's items that are there."""
    dataset = wildcards.dataset
    return found_pictures(dataset, PLAN.datasets[dataset].shard_of if dataset in RELEASED else ())


def responses_of(wildcards):
    """The responses of every model asked about a dataset."""
    models = PLAN.models_of(wildcards.dataset)
    return [path for model in models for path in PLAN.responses(wildcards.dataset, model.label)]


def modification_times(paths):
    """When these files were last written or touched, as text."""
    return [str(Path(path).stat().st_mtime_ns) for path in paths]


def is_real_start():
    """Whether this process is about to run jobs: no dry run, no job of another Snakemake."""
    looking = ("--dry", "--lint", "--unlock", "--summary", "--detailed-summary", "--list", "--dag",
               "--rulegraph", "--filegraph", "--d3dag", "--touch", "--containerize")  # fmt: skip
    flags = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    dry = any(re.fullmatch(r"-[a-zA-Z]*[nSDlt][a-zA-Z]*", flag) for flag in flags)
    main_process = workflow.exec_mode == workflow.exec_mode.__class__.DEFAULT
    return main_process and not dry and not any(flag.startswith(looking) for flag in flags)


# Pending calls are asked again at every real start: their count of tries is part of their jobs'
# parameter, because a missing response alone would not be noticed. What a killed process left
# half-written goes. Neither happens while another run may be at work in this folder.
TRIES_FILE = Path("results/tries.json")
TRIES = json.loads(TRIES_FILE.read_text()) if TRIES_FILE.is_file() else {}
if is_real_start() and not list(Path(".snakemake/locks").glob("*")):
    if pending := [str(path) for path in pending_responses(Path("results"))]:
        TRIES.update((path, TRIES.get(path, 0) + 1) for path in pending)
        write_json(TRIES_FILE, TRIES)
    for path in left_behind(Path("results")):
        path.unlink(missing_ok=True)

# Where the query jobs find their broker; no part of any rule, so a moved folder reruns nothing.
CACHE = Path(config.get("cache", ".plotchain/cache"))
# A job of a cluster has its own, because it is killed with that job.
if workflow.remote_exec:
    own = query.own_broker()
    os.environ.update(own)
    atexit.register(shutil.rmtree, own["PLOTCHAIN_RUNTIME"], ignore_errors=True)
os.environ.update(query.environment(CACHE))
# Limits are no part of a call either. Their file marks a start: models that were stopped (a quota,
# a key) are asked again from here on.
if is_real_start():
    limits = {model.label: dict(model.limits) for model in PLAN.models.values()}
    write_json(query.limits_path(CACHE, Path.cwd()), limits)

REMOTE = {label: model for label, model in PLAN.models.items() if model.is_remote}
