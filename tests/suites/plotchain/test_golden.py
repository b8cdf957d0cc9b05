"""The default dataset is frozen: these digests change only when the dataset is meant to change."""

from __future__ import annotations

import hashlib

import pytest

from plotchain_lib.suites.plotchain import families, generate

GOLDEN = {
    "bandpass_response": "47cb32e5a1560e4b",
    "bode_magnitude": "1cad2b57faac6e23",
    "bode_phase": "d394c30603af7f25",
    "fft_spectrum": "2120e4bfadc65a3c",
    "iv_diode": "176c561dabbff21a",
    "iv_resistor": "7e4f45a08a6d0615",
    "pole_zero": "6a109b4d2437aaed",
    "pump_curve": "9a99f63a29a54495",
    "sn_curve": "075f702ff8c13101",
    "spectrogram": "8b65a3f71645aae6",
    "step_response": "79ca0d80f7c8e91e",
    "stress_strain": "55e01221c68ced4c",
    "time_waveform": "8b62b1c1283ff54f",
    "torque_speed": "4511a226b8bb71f7",
    "transfer_characteristic": "baa211b7c0076143",
}


@pytest.mark.parametrize("name", families.names())
def test_items_of_seed_0_are_the_frozen_ones(name: str) -> None:
    lines = "".join(f"{item.to_json()}\n" for item in generate.items(families.load(name), 0, 30))
    assert hashlib.sha256(lines.encode()).hexdigest()[:16] == GOLDEN[name]
