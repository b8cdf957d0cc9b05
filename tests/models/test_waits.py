"""How long a provider asks to wait, in all the forms it says so."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plotchain_lib.models._providers.waits import duration_s, human, wait_of

DATE = {"date": "Mon, 30 Nov 2026 12:00:00 GMT"}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("6m0s", 360), ("120ms", 0.12), ("10h17m5.7s", 37025.7), ("1s", 1), ("7.66s", 7.66),
        ("2m59.56s", 179.56), ("1d", 86400), ("1h 2m", 3720), ("90 seconds", 90), ("0s", 0),
        ("", None), ("soon", None), ("5", None), ("5x", None), ("6m0", None), ("-5s", None),
    ],
)  # fmt: skip
def test_durations(text: str, seconds: float | None) -> None:
    assert duration_s(text) == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "20"}, 20),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "2e1"}, 20),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "30s"}, 30),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:45 GMT"}, 45),
        ({"retry-after": "Mon, 30 Nov 2026 11:59:00 GMT"}, 0),
        ({"retry-after": "Monday, 30-Nov-26 12:00:45 GMT"}, 45),
        ({"retry-after": "Mon, 99 Nov 2026 12:00:45 GMT"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e400"}, float("inf")),
        ({"retry-after": "9" * 390}, float("inf")),
        ({"retry-after": "later"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "x", "retry-after": "2"}, 2),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "0"}, 360),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "9"}, None),
        ({"x-ratelimit-reset-requests": "6m0s", "retry-after": "2"}, 2),
        (
            {
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-tokens": "9s",
                "x-ratelimit-remaining-tokens": "0",
            },
            9,
        ),
        (
            {
                "anthropic-ratelimit-tokens-reset": "2026-11-30T12:01:00Z",
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-11-30T13:00:00Z",
                "anthropic-ratelimit-requests-remaining": "4",
            },
            60,
        ),
        ({"x-ratelimit-reset": "1796040030000", "x-ratelimit-remaining": "0"}, 30),
        ({"x-ratelimit-reset": "1796040030"}, 30),
        ({"ratelimit-reset": "12"}, 12),
        ({"x-ratelimit-reset": "when it likes"}, None),
        ({}, None),
    ],
)
def test_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_of(DATE | headers) == seconds


def test_a_reset_without_the_providers_clock_is_told_from_ours() -> None:
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 100))
    wait = wait_of({"anthropic-ratelimit-requests-reset": moment})
    assert wait is not None and 95 < wait <= 100


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Please retry in 10h17m5.7s.", 37025.7),
        ("Please retry in 36.429760048s.", 36.429760048),
        ("Rate limit reached. Please try again in 6ms. Visit …", 0.006),
        ("Please try again in 1m12s", 72),
        ("Please retry after 26 seconds.", 26),
        ("Try again in 2 minutes, 5 seconds", 125),
        ("retry in a while", None),
        ("you tried 5 s", None),
    ],
)
def test_messages(message: str, seconds: float | None) -> None:
    assert wait_of({}, message) == (None if seconds is None else pytest.approx(seconds))


def test_the_longest_of_what_is_asked_counts() -> None:
    details = [
        {"retryDelay": "38s"},
        {"retryDelay": {"seconds": "41", "nanos": 5}},
        {"retryDelay": 3},
        7,
    ]
    assert wait_of({"retry-after": "5"}, "Please retry in 2s", details) == 41
    assert wait_of({}, "", details[:1]) == 38
    assert wait_of({}, "", {"retryDelay": "3s"}) is None


def test_waits_as_a_person_says_them() -> None:
    said = [human(seconds) for seconds in (0.2, 40, 1000, 37025.7, 1e12, float("inf"))]
    assert said == ["1 s", "40 s", "17 min", "10 h 18 min", "years", "years"]


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["retry-after", "retry-after-ms", "date", "x-ratelimit-reset-tokens"]),
        st.text(max_size=40) | st.from_regex(r"[0-9.hms+:eT -]{1,30}", fullmatch=True),
    ),
    st.text(max_size=60),
)
def test_no_header_or_message_raises(headers: dict[str, str], message: str) -> None:
    wait = wait_of(headers, f"try again in {message}")
    assert wait is None or wait >= 0
