# PlotChain in a container, from requirements.lock.
#
# NOT BUILT: no container engine was at hand where this was written. tests/test_container.py checks
# what it names; nobody has run it yet.
#
#   docker build --tag plotchain .
#   docker run --rm --init --user "$(id -u):$(id -g)" --volume "$PWD:/plotchain" plotchain \
#       snakemake --cores 8 results/report.html
#
# The clone is mounted over the image's copy, so that configuration, results and the cache of paid
# answers stay outside: what a container keeps to itself is gone with it. Keys: --env-file .env
#
#   docker build --target test --tag plotchain-test . && docker run --rm --init plotchain-test
#
# The tests bring Inspect, mlcroissant, Chromium and bubblewrap. Those of the sandbox are skipped
# where the engine allows no user namespaces.

FROM python:3.11-slim AS base
# Any user may run it (--user), so its home is open to all.
RUN useradd --create-home plotchain && chmod 1777 /home/plotchain
ENV HOME=/home/plotchain PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /plotchain
RUN chown plotchain: .
COPY requirements.lock .
RUN pip install --requirement requirements.lock
COPY --chown=plotchain: . .
RUN pip install --no-deps --no-build-isolation --editable .

FROM base AS test
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium bubblewrap \
    && rm -rf /var/lib/apt/lists/*
RUN pip install --no-deps --no-build-isolation \
    --requirement requirements-inspect.lock --requirement requirements-croissant.lock
USER plotchain
CMD ["python", "-m", "pytest"]

FROM base AS report
USER plotchain
CMD ["snakemake", "--cores", "2", "results/report.html"]
