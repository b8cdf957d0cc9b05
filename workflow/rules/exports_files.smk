"""The files behind the exports: which ones their rules read."""


def exported_pictures(wildcards):
    """The picture of every item; one that a release lacks is told by the export itself."""
    return found_pictures(wildcards.dataset, PLAN.datasets[wildcards.dataset].shard_of)


def exported_policies(wildcards):
    """Policy to its files, the headline first; none by which a model would be asked."""
    suite, asking = suite_of(wildcards), PLAN.extractors(wildcards.dataset)
    return {
        policy: PLAN.policy_files(suite, policy)
        for policy in PLAN.policies(suite)
        if policy not in asking
    }


def exported_policy_files(wildcards):
    """The files of all these policies."""
    return [path for paths in exported_policies(wildcards).values() for path in paths]


def exported_answers(wildcards):
    """Parsing to the answers of every model."""
    suite = suite_of(wildcards)
    return {
        PLAN.parsing(suite, policy): PLAN.answers(wildcards.dataset, policy)
        for policy in PLAN.policies(suite)
    }
