"""The real DAG against a server of somebody else: `python benchmarks/third_party_server.py`.

LiteLLM's proxy, from PyPI into a virtual environment of its own in a temporary folder (some 750 MB;
`--venv FOLDER` keeps one), speaks all four wire formats and answers from a script, without a key or
a model. Asked are four models of our four kinds, one that the proxy does not know and one with a
wrong key. Prints the lines of `snakemake check` and how all calls ended; exit code 1 where one of
the four kinds was not answered throughout, or a wrong one does not say what is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from remote_runs import Workspace, configuration, drawn

PACKAGE = "litellm[proxy]"
KEY, WRONG_KEY = "sk-third-party-9c8b7a6d", "sk-third-party-wrong-0000"
ANSWER = '{"works": 1, "resonance_hz": 1000.0, "bandwidth_hz": 200.0, "slope_ohm": 3.5}'
ASKED: dict[str, dict[str, Any]] = {
    "openai": {"kind": "openai", "model": "mock-openai", "structured": True},
    "compatible": {"kind": "openai_compatible", "model": "mock-compatible", "seed": 1},
    "anthropic": {"kind": "anthropic", "model": "mock-anthropic"},
    "gemini": {"kind": "gemini", "model": "mock-gemini"},
    "unknown": {"kind": "openai_compatible", "model": "mock-nobody"},
    "wrong-key": {"kind": "openai_compatible", "model": "mock-compatible", "key": "WRONG_KEY"},
}
_BEHIND = {
    "openai": "openai/gpt-4.1",
    "compatible": "openai/gpt-4.1-mini",
    "anthropic": "anthropic/claude-haiku-4-5",
    "gemini": "gemini/gemini-2.5-flash",
}
_START_S = 180.0


def installed(folder: Path) -> Path:
    """The proxy's command in a virtual environment, made where it is missing."""
    command = folder / "bin" / "litellm"
    if not command.exists():
        venv.create(folder, with_pip=True)
        python = str(folder / "bin" / "python")
        pip = [python, "-m", "pip", "install", "--quiet", PACKAGE]
        subprocess.run([*pip, "--disable-pip-version-check"], check=True)
    return command


@contextlib.contextmanager
def proxy(command: Path, folder: Path) -> Iterator[str]:
    """The proxy's address while it runs."""
    models = [
        {"model_name": f"mock-{label}",
         "litellm_params": {"model": behind, "api_key": "none", "mock_response": ANSWER}}
        for label, behind in _BEHIND.items()
    ]  # fmt: skip
    settings = {"model_list": models, "general_settings": {"master_key": KEY}}
    (folder / "proxy.yaml").write_text(yaml.safe_dump(settings))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with (folder / "proxy.log").open("wb") as log:
        server = subprocess.Popen(
            [command, "--config", "proxy.yaml", "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder, stdout=log, stderr=log,
            env=os.environ | {"LITELLM_LOCAL_MODEL_COST_MAP": "True"},
        )  # fmt: skip
    try:
        deadline = time.monotonic() + _START_S
        while not _answers(f"{address}/health/liveliness"):
            if server.poll() is not None or time.monotonic() > deadline:
                raise SystemExit((folder / "proxy.log").read_text()[-2000:])
            time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


def ends(workspace: Workspace, label: str) -> dict[str, list[str]]:
    """Outcome to the reasons of one model's calls."""
    found: dict[str, list[str]] = {}
    for path in sorted((workspace.folder / "results/small/responses" / label).glob("*.json")):
        response = json.loads(path.read_bytes())
        found.setdefault(response["outcome"], []).append(response["reason"])
    return found


def ask(address: str, folder: Path) -> bool:
    """Check, run, print; whether all is as it should be."""
    names = {"openai": "OPENAI_API_KEY", "openai_compatible": "COMPATIBLE_API_KEY",
             "anthropic": "ANTHROPIC_API_KEY", "gemini": "GEMINI_API_KEY"}  # fmt: skip
    os.environ.update(dict.fromkeys(names.values(), KEY) | {"WRONG_KEY": WRONG_KEY})
    config = configuration(address, items=4, repeats=1)
    config["models"] = {
        label: {"key": names[entry["kind"]], "base_url": address, **entry}
        for label, entry in ASKED.items()
    }
    workspace = drawn(folder / "clone", config)
    checked = workspace.run("--cores", "2", "check", check=False)
    print("\n".join(x for x in checked.stdout.splitlines() if x.split(":")[0] in ASKED))
    ran = workspace.run("--cores", "16")
    print("\n".join(x for x in ran.stderr.splitlines() if "calls pending" in x))
    good = True
    for label in ASKED:
        found = ends(workspace, label)
        counts = {outcome: len(reasons) for outcome, reasons in found.items()}
        print(f"{label}: {counts}")
        expected = "pending" if label in ("unknown", "wrong-key") else "answered"
        good &= counts == {expected: 20}
    good &= "no such model" in "".join(ends(workspace, "unknown").get("pending", []))
    good &= "access denied" in "".join(ends(workspace, "wrong-key").get("pending", []))
    files = [path for path in workspace.folder.rglob("*") if path.is_file()]
    held = [p for p in files if any(k.encode() in p.read_bytes() for k in (KEY, WRONG_KEY))]
    print(f"{len(held)} of {len(files)} files hold a key")
    return good and not held


def main() -> None:
    """Install, start, ask."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--venv", type=Path, help="default: in a temporary folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        command = installed(options.venv or folder / "venv")
        with proxy(command, folder) as address:
            good = ask(address, folder)
    print("all answered by a third party's server" if good else "NOT as it should be")
    sys.exit(not good)


if __name__ == "__main__":
    main()
