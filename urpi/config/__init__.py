"""The configuration: one TOML file, every key of it known, documented and checked."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.config.reading import LoadedConfig, errors_in, load, read
    from urpi.config.sections import (
        ButtonsSection,
        ClubSection,
        ClubServerSection,
        Config,
        DiceSection,
        ExpanderSection,
        FacesSection,
        GpioSection,
        HubSection,
        JournalSection,
        LightsSection,
        OledSection,
        PageSection,
        SoundSection,
        SquaresSection,
        TableSection,
        TimingSection,
    )

export(__name__)
