"""What a run says, at its start, on its way and at its end; and how it waits."""

from snakemake.logging import logger


def begin():
    """What happens at the start of a run, before its first job."""
    wait_without_polling(workflow.scheduler)
    for line in PLAN.first_words():
        print(line, file=sys.stderr)
    tell_progress()


def tell_progress():
    """Say now and then how far the models that cost money or time have come, if there are any."""
    if not REMOTE:
        return
    from plotchain_lib.query.broker import status
    from plotchain_lib.query.progress import follow

    totals = {
        label: sum(
            not os.path.isfile(path)
            for dataset in PLAN.datasets
            if label in {model.label for model in PLAN.models_of(dataset)}
            for path in PLAN.responses(dataset, label)
        )
        for label in REMOTE
    }
    # A broker that serves another run too moves for models this one asks nothing of.
    totals = {label: total for label, total in totals.items() if total}
    socket = Path(query.environment(CACHE)["PLOTCHAIN_SOCKET"])
    follow(totals, lambda: status(socket), lambda line: print(line, file=sys.stderr, flush=True))


def wait_without_polling(scheduler):
    """Take Snakemake's default limit of jobs a second (100, which no machine of ours reaches) away.

    With it every look for a job to start asks for another one second later, and each job that ends
    begins a chain of its own: after a thousand calls the scheduler does nothing but look, which
    takes a core from whatever runs. A limit that somebody set is left, and a cluster's too.
    """
    limit = getattr(scheduler, "job_rate_limiter", None)
    if limit and workflow.local_exec and (limit.max_jobs, limit.timespan) == (100, 1):
        scheduler.job_rate_limiter = None


def last_words():
    """Where what was asked for lies, and what is still pending."""
    page, folder = Path("results/report.html"), Path("results/exports")
    targets = set(workflow.dag_settings.targets)
    exports = {target for target in targets if target.startswith("export_")}
    words = []
    if page.is_file() and (not targets or targets & {"all", "report", str(page)}):
        words.append(f"plotchain: the report is {page}")
    if exports == {"export_results"} or (exports and ASKED):
        words.append(f"plotchain: the exports are in {folder}")
    elif exports:
        words.append(
            "plotchain: nothing to export: of episodes only the results leave (export_results)"
        )
    for path in sorted(Path("results").glob("*/run.json")):
        for model, facts in json.loads(path.read_text())["models"].items():
            if count := facts["outcomes"].get("pending"):
                reason = next(iter(facts["pending_reasons"]), "")
                words.append(
                    f"plotchain: {path.parent.name}: {model}: {count} calls pending ({reason}); "
                    "the next run asks them again"
                )
    return words


def not_said_already(record):
    """Whether a log record tells more than the line a failed job has printed itself.

    A job that ends with status 1 has said in one line what is wrong; Snakemake's dozen lines about
    it would bury that. Of a job that died without a word one line is left.
    """
    event = str(getattr(record, "event", ""))
    message = record.getMessage()
    if event == "error" and "CalledProcessError" in message:
        command = message.splitlines()[-1]
        record.msg, record.args = f"plotchain: a job died, run again: {command}", ()
        return not command.endswith("non-zero exit status 1.")
    return event != "job_error"


logger.addFilter(not_said_already)
