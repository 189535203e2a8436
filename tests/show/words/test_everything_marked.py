"""Every text shown is a marked message that the catalogues contain."""

from collections import Counter

import pytest
from click.testing import CliRunner

from tests.journal.games import store_game
from tests.show.evidence.disputed import disputed_game, store
from tests.show.views.test_languages import draw_menu_screens, snapshots
from tests.show.words.marked import looked_up
from tests.show.words.recorded import recorded_words
from urpi.cli.main import cli
from urpi.engine.review import MISTAKES
from urpi.journal import Journal
from urpi.journal.stats import GameReview, SideReview, summarize, summarize_reviews
from urpi.show.evidence import dispute_page, dispute_text, dispute_turn
from urpi.show.stats_report.charts import one_picture, page
from urpi.show.stats_report.reading import figures_in
from urpi.show.views import draw


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "journal.db"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1)
        store_game(journal, "bell", seed=2, longest=60)
    return path


def in_language(path, tmp_path, language, *arguments):
    (tmp_path / "urpi.toml").write_text(f'[table]\nlanguage = "{language}"\n')
    call = ["--config", str(tmp_path / "urpi.toml"), "games", "--journal", str(path), *arguments]
    return CliRunner().invoke(cli, call, catch_exceptions=False).output


def test_views_use_only_marked_messages():
    words, recorder = recorded_words("fr")
    for snapshot in snapshots(words):
        draw(snapshot, words)
    draw_menu_screens(words)
    assert recorder.requested - looked_up() == set()


def test_dispute_uses_only_marked_messages(tmp_path):
    store(tmp_path / "journal.db", disputed_game(), None)
    with Journal.open(tmp_path / "journal.db") as journal:
        dispute = dispute_turn(journal, 1)
    words, recorder = recorded_words("hu")
    assert "2. kocka: ferdén áll." in dispute_text(dispute, words)
    assert '<html lang="hu">' in dispute_page(dispute, words)
    assert recorder.requested - looked_up() == set()


def test_statistics_use_only_marked_messages(games):
    words, recorder = recorded_words("pt")
    found = list(figures_in(games, [1, 2], jobs=1))
    side = SideReview(
        games=1,
        throws=9,
        luck=0.2,
        luck_squares=0.1,
        decisions=8,
        loss=0.4,
        loss_squares=0.1,
        mistakes=Counter(MISTAKES),
        mistake_losses=dict.fromkeys(MISTAKES, 0.05),
    )
    reviews = summarize_reviews(
        [(found[0], "2026-01-01"), (found[1], "2026-02-01")],
        {one.game: GameReview("exact", (side, side)) for one in found},
    )
    figures = summarize(found)
    drawn = page(figures, reviews, words) + one_picture(figures, reviews, words)
    assert "Jogos ganhos, por jogador" in drawn
    assert "Desperdiçado numa decisão, ao longo do tempo: Ann" in drawn
    assert recorder.requested - looked_up() == set()


@pytest.mark.parametrize(
    ("language", "words", "text"),
    [
        ("fr", ("list",), "PARTIE  DÉBUT"),
        ("sl", ("stats",), "2 igri, do konca odigranih: 2"),
        ("ru", ("stats",), "ИГРОК"),
        ("hu", ("stats",), "A legtöbb dobás: 1. játszma, Ann "),
        ("fr", ("dispute", "1", "--turn", "1", "--language", "fr"), "Position : finkel"),
    ],
)
def test_command_uses_the_tables_language(games, tmp_path, language, words, text):
    assert text in in_language(games, tmp_path, language, *words)
