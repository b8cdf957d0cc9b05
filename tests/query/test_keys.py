"""Where keys come from, and that nothing shows them."""

import copy
import json
import pickle
import traceback
from pathlib import Path

import pytest

from plotchain_lib.query import fingerprint
from plotchain_lib.query.keys import Key, KeyProblemError, find, read_env_file, redact, redact_all

CANARY = "canary-key-1f2e3d4c5b6a"


def test_the_environment_comes_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TINY_KEY", raising=False)
    with pytest.raises(KeyProblemError, match="TINY_KEY is set neither in the environment nor in"):
        find("TINY_KEY", tmp_path)
    (tmp_path / ".env").write_text("TINY_KEY=from-the-file\n")
    assert find("TINY_KEY", tmp_path).reveal() == "from-the-file"
    (tmp_path / ".env").write_text("TINY_KEY=changed-in-the-file\n")
    assert find("TINY_KEY", tmp_path).reveal() == "changed-in-the-file"
    monkeypatch.setenv("TINY_KEY", "")
    assert find("TINY_KEY", tmp_path).reveal() == "changed-in-the-file"
    monkeypatch.setenv("TINY_KEY", " from-the-environment\n")
    assert find("TINY_KEY", tmp_path).reveal() == "from-the-environment"


@pytest.mark.parametrize("key", ["two words here", "new\nline-in-key", "naïve-key-here"])
def test_a_key_no_header_can_carry_is_told_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("TINY_KEY", key)
    with pytest.raises(KeyProblemError) as caught:
        find("TINY_KEY", tmp_path)
    assert key not in str(caught.value) and "TINY_KEY" in str(caught.value)


def test_the_file_is_read_as_dotenv_reads_it(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "\ufeff# keys\n\nA=one\n  export B = two # why\nC='th#ree $A'\nD=\"f\\\"our\\n\"  # why\n"
        "E=\nF=a#b\nG=a=b==\nnonsense\n=x\n1A=x\nH='open\nI=\"\"\r\n", encoding="utf-8",
    )  # fmt: skip
    assert read_env_file(tmp_path / ".env") == {
        "A": "one", "B": "two", "C": "th#ree $A", "D": 'f"our\n', "E": "", "F": "a#b",
        "G": "a=b==", "I": "",
    }  # fmt: skip
    assert read_env_file(tmp_path / "none") == {}
    (tmp_path / ".env").write_bytes(b"A=\xff")
    with pytest.raises(KeyProblemError, match=r"\.env: cannot be read \(not UTF-8 text\)"):
        read_env_file(tmp_path / ".env")


def test_nothing_shows_a_key() -> None:
    key = Key(CANARY)
    shown = [repr(key), str(key), f"{key}", f"{key!r:>40}", repr({"k": [key]})]
    try:
        raise ValueError(key)
    except ValueError:
        shown.append(traceback.format_exc())
    assert not any(CANARY in text for text in shown)
    for attempt in (pickle.dumps, json.dumps, copy.deepcopy):
        with pytest.raises(TypeError) as caught:
            attempt(key)
        assert CANARY not in str(caught.value)
    assert Key(CANARY) == key and len({Key(CANARY), key}) == 1 and key != CANARY


def test_known_keys_are_stripped_in_every_form() -> None:
    Key('sl/ash+quo"te\\key')
    Key(CANARY)
    Key("EMPTY")
    text = f'Bearer {CANARY}, sl%2Fash%2Bquo%22te%5Ckey, sl/ash+quo\\"te\\\\key, EMPTY'
    assert redact(text) == "Bearer [key], [key], [key], EMPTY"
    assert redact_all({CANARY: [f"x{CANARY}", 1, None, {"a": (CANARY,)}]}) == {
        "[key]": ["x[key]", 1, None, {"a": ["[key]"]}]
    }


def test_another_key_is_another_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint()
    monkeypatch.setenv("MY_PROVIDERS_TOKEN", CANARY)
    assert fingerprint() != before and CANARY not in fingerprint()
