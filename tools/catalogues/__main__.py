"""Update every catalogue from the code, and compile it: `python -m tools.catalogues [NEW.toml]`.

The messages without a translation are printed. Translate them in the .po files, and run it again;
or write them with the translations of all languages into one file, from which they are copied::

    ["Full screen"]
    fr = "Plein écran"
    sl = "Čez ves zaslon"
"""

import sys
from pathlib import Path
from typing import Final

from tools.catalogues.catalogue import NO_TRANSLATIONS, catalogue_at, files_for
from tools.catalogues.messages import messages_of
from tools.catalogues.translations import read_translations

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "urpi"
LOCALE: Final = PACKAGE / "show" / "words" / "locale"


def main() -> None:
    """Write the files that have changed, and print the messages without a translation."""
    messages, new = messages_of(PACKAGE), NO_TRANSLATIONS
    if sys.argv[1:]:
        languages = sorted(path.name for path in LOCALE.iterdir() if path.is_dir())
        new = read_translations(Path(sys.argv[1]), messages, languages)
    for path, content in files_for(LOCALE, messages, new).items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
            sys.stdout.write(f"{path.relative_to(ROOT)} written\n")
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        file = catalogue_at(path)
        for message in file.missing:
            sys.stdout.write(f"{path.relative_to(ROOT)}: not translated: {message}\n")


if __name__ == "__main__":
    main()
