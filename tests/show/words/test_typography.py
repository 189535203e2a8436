"""Every translation has the quotes, dashes, spaces and signs that `typography.toml` decides."""

import re
import tomllib
from pathlib import Path

import pytest

from tools.catalogues.__main__ import LOCALE
from tools.catalogues.catalogue import DOMAIN, catalogue_at
from tools.catalogues.compiled import strings_of

FAULTS = tomllib.loads(Path(__file__).with_name("typography.toml").read_text("utf-8"))
LANGUAGES = sorted(FAULTS.keys() - {"all"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_has_a_fault(language):
    path = LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    texts = [text for one in catalogue_at(path).catalogue if one.id for text in strings_of(one)]
    assert texts
    found = [
        f"{text!r}: {match[0]!r}; write {fault['right']!r}, not {fault['wrong']!r}"
        for fault in FAULTS["all"] + FAULTS[language]
        for text in texts
        if (match := re.search(fault["find"], text))
    ]
    assert found == []


@pytest.mark.parametrize("language", ["all", *LANGUAGES])
def test_each_fault_is_found_and_its_correction_has_none(language):
    for fault in FAULTS[language]:
        assert re.search(fault["find"], fault["wrong"]), fault
        for other in FAULTS["all"] + FAULTS[language]:
            assert not re.search(other["find"], fault["right"]), (other, fault)
