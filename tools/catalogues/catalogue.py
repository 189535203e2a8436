"""A language's catalogue: read from its .po file, updated from the code, written and compiled.

A .po file contains no dates and no line numbers, so that it changes only with its texts. Its
header, the lines up to the first empty one, belongs to the translators and is never changed.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import generate_po, read_po

from tools.catalogues.compiled import compiled, strings_of
from tools.catalogues.found import MessageId, Use, context_and_text, singular
from tools.catalogues.translations import Translations

DOMAIN: Final = "urpi"
PAGE_LIST: Final = "page.json"
NO_TRANSLATIONS: Final[Translations] = MappingProxyType({})
LINE: Final = 96
TEMPLATE_HEADER: Final = """\
# Every message of urpi. `make words` writes this file from the code.
msgid ""
msgstr ""
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


@dataclass(frozen=True)
class CatalogueFile:
    """The contents of a .po file: its header, and the catalogue that Babel reads from it."""

    language: str
    header: str
    catalogue: Catalog

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, language: str, text: str) -> "CatalogueFile":
        """Parse the text of a .po file."""
        header = text.split("\n\n", 1)[0].rstrip("\n") + "\n"
        return cls(language, header, read_po(BytesIO(text.encode()), abort_invalid=True))

    def updated(
        self, messages: Mapping[MessageId, Use], new: Translations = NO_TRANSLATIONS
    ) -> "CatalogueFile":
        """Return a catalogue of exactly these messages in their order.

        Their translations are the new ones, where there are such, and else those known before.
        """
        fresh = Catalog(locale=self.catalogue.locale, fuzzy=False)
        fresh.mime_headers = [("Plural-Forms", self.catalogue.plural_forms)]
        for message_id, use in messages.items():
            text = new.get(singular(message_id), {}).get(self.language)
            message = self._message(message_id, use, text)
            fresh[message.id] = message
        return CatalogueFile(self.language, self.header, fresh)

    def _message(self, message_id: MessageId, use: Use, new: str | list[str] | None) -> Message:
        context, one = context_and_text(singular(message_id))
        wordings = one if isinstance(message_id, str) else (one, message_id[1])
        known = self.catalogue.get(one, context)
        if known is None or known.id != wordings:
            known = Message(wordings)
        return Message(
            wordings,
            new or known.string,
            [(name, 0) for name in use.files],
            flags=known.flags - {"python-brace-format"} if not new else (),
            auto_comments=use.comments,
            user_comments=known.user_comments,
            context=context,
        )

    @property
    def text(self) -> str:
        """Contents of the .po file."""
        body = "".join(
            generate_po(
                self.catalogue,
                omit_header=True,
                include_lineno=False,
                ignore_obsolete=True,
                width=LINE,
            )
        )
        return f"{self.header}\n{body.strip()}\n" if body.strip() else self.header

    @property
    def compiled(self) -> bytes:
        """Contents of the .mo file."""
        quoted = re.findall(r'^"(.*)\\n"$', self.header, re.MULTILINE)
        return compiled(self.catalogue, "".join(f"{line}\n" for line in quoted))

    @property
    def missing(self) -> tuple[str, ...]:
        """Messages without a translation, or with a fuzzy one."""
        return tuple(
            message.id if isinstance(message.id, str) else message.id[0]
            for message in self.catalogue
            if message.id and _lacks(message)
        )


def _lacks(message: Message) -> bool:
    return message.fuzzy or not strings_of(message)


def template(messages: Mapping[MessageId, Use]) -> str:
    """Return the contents of the .pot file of these messages."""
    return CatalogueFile.of("", TEMPLATE_HEADER).updated(messages).text


def page_list(messages: Mapping[MessageId, Use]) -> str:
    """Return the contents of the JSON file of the messages that browsers look up."""
    page = [one for one, use in messages.items() if not all(map(_is_python, use.files))]
    return json.dumps(page, ensure_ascii=False, indent=0) + "\n"


def _is_python(file: str) -> bool:
    return file.endswith(".py")


def files_for(
    locale: Path, messages: Mapping[MessageId, Use], new: Translations = NO_TRANSLATIONS
) -> dict[Path, bytes]:
    """Return the files below `locale` with their contents.

    These are the template, two files per language, and the list of the page's messages.
    """
    files = {
        locale / f"{DOMAIN}.pot": template(messages).encode(),
        locale / PAGE_LIST: page_list(messages).encode(),
    }
    for path in sorted(locale.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        file = catalogue_at(path).updated(messages, new)
        files[path] = file.text.encode()
        files[path.with_suffix(".mo")] = file.compiled
    return files


def catalogue_at(path: Path) -> CatalogueFile:
    """Read the catalogue in a .po file, `LANGUAGE/LC_MESSAGES/urpi.po`."""
    return CatalogueFile.of(path.parents[1].name, path.read_text(encoding="utf-8"))
