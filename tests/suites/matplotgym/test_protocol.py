"""Replies as models write them, and the one action each is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plotchain_lib.suites.matplotgym.protocol import Action, checked_path, parse

F = "```"


def fenced(label: str, body: str = "x") -> str:
    return f"{F}{label}\n{body}\n{F}"


@pytest.mark.parametrize(
    "label", ["bash", "sh", "shell", "zsh", "Bash", " bash ", "{bash}", "bash:", "bash title=x"]
)
def test_bash_by_any_name(label: str) -> None:
    assert parse(f"Let me look.\n\n{fenced(label, 'ls -la')}\nThat is all.") == Action(
        "bash", "ls -la\n"
    )


@pytest.mark.parametrize("label", ["python", "py", "python3", "Python", "ipython"])
def test_python_by_any_name(label: str) -> None:
    assert parse(fenced(label, "print(1)\n\nprint(2)")) == Action(
        "python", "print(1)\n\nprint(2)\n"
    )


@pytest.mark.parametrize(
    "label",
    ["write make_figure.py", "write  make_figure.py ", "Write make_figure.py", "write: make_figure.py",
     "write:make_figure.py", "write `make_figure.py`", 'write "make_figure.py"', "write ./make_figure.py",
     "write /workspace/make_figure.py", "python write make_figure.py"],
)  # fmt: skip
def test_a_file_by_any_label(label: str) -> None:
    fence = "~~~" if "`" in label else F  # a backtick fence cannot hold one in its label
    reply = f"{fence}{label}\nx = 1\n{fence}"
    assert parse(reply) == Action("write", "x = 1\n", "make_figure.py")


@pytest.mark.parametrize(
    "reply",
    [f"{F}done\n{F}", f"{F}done{F}", f"{F}\ndone\n{F}", f"Ready.\n{F}DONE\n{F}", "~~~done\n~~~",
     f"{F}done\nmake_figure.py is ready\n{F}"],
)  # fmt: skip
def test_done(reply: str) -> None:
    assert parse(reply).kind == "done"


def test_a_label_on_the_first_line_of_the_block() -> None:
    assert parse(f"{F}\nbash\nls\n{F}") == Action("bash", "ls\n")
    assert parse(f"{F}\nwrite a.py\nx\n{F}") == Action("write", "x\n", "a.py")


def test_of_several_the_first_counts_and_the_model_is_told() -> None:
    action = parse(f"{fenced('text', 'a plan')}\n{fenced('sh', 'ls')}\n{fenced('done', '')}")
    assert (action.kind, action.text) == ("bash", "ls\n")
    assert (
        action.note == "Your reply held 2 actions; one a turn is done, and only the first counted."
    )


def test_a_file_may_hold_fences() -> None:
    body = f"doc = '''\n{F}bash\nls\n{F}\n'''"
    assert parse(f"````write a.py\n{body}\n````") == Action("write", f"{body}\n", "a.py")
    assert parse(f"~~~write a.py\n{body}\n~~~") == Action("write", f"{body}\n", "a.py")


def test_an_open_block_is_taken_to_the_end() -> None:
    action = parse(f"Here:\n{F}python\nprint(1)")
    assert (action.kind, action.text, action.closed) == ("python", "print(1)\n", False)
    assert "not closed" in action.note


def test_a_pasted_session_gives_its_commands() -> None:
    assert parse(fenced("console", "$ ls\nmake_figure.py\n$ wc -l a\n3 a")).text == "ls\nwc -l a\n"
    assert parse(fenced("console", "ls")).text == "ls\n"
    assert parse(fenced("bash", 'echo "\n$ x"')).text == 'echo "\n$ x"\n'


@pytest.mark.parametrize(
    ("reply", "said"),
    [("", "nothing"), ("  \n", "nothing"), ("I would plot it.", "no fenced block"),
     (fenced("", "ls"), "no action"), (fenced("json", "{}"), "no action"),
     (fenced("bash", "  "), "empty"), (fenced("bash", "a\0b"), "NUL"),
     (fenced("python", "x" * 100_001), "100000 bytes"), (fenced("write", "x"), "names no path"),
     (fenced("write a.py", "x" * 1_000_001), "1000000 bytes"), ("`bash ls`", "no fenced block")],
)  # fmt: skip
def test_what_is_no_action_is_said(reply: str, said: str) -> None:
    action = parse(reply)
    assert action.kind == "malformed" and said in action.note


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../x.py", "a/../../x", "~/x", "a\\b", "..", "/workspace/../x", "/workspace//etc/x",
     "a\x00b", "x" * 201, "dir/", "."],
)  # fmt: skip
def test_a_path_that_leads_out_is_refused(path: str) -> None:
    found, problem = checked_path(path)
    assert (not found or not found.startswith(("/", ".."))) and problem
    assert parse(fenced(f"write {path}")).kind == "malformed"


def test_a_path_below_the_workspace_is_taken() -> None:
    assert checked_path("data/clean/a b.csv") == ("data/clean/a b.csv", "")
    assert checked_path("./a//b.py") == ("a/b.py", "")


@given(st.text(alphabet=st.sampled_from("`~\nbashwritedonepy /.$x"), max_size=80))
def test_anything_parses(reply: str) -> None:
    action = parse(reply)
    assert action.kind in ("bash", "python", "write", "done", "malformed")
    assert (action.kind == "malformed") <= bool(action.note)
    assert ".." not in action.path.split("/") and not action.path.startswith("/")
