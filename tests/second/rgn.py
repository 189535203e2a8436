"""A game of `finkel` in RGN, read and played without the program's own parser and rules.

Written from the grammar in FORMATS.md, RoyalUr: words between spaces, a path as a list of squares.
"""

HALF = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"]
PATHS = {
    row: [f"{row}4", f"{row}3", f"{row}2", f"{row}1", *HALF, f"{row}8", f"{row}7"] for row in "AC"
}
ROSETTES = {"A1", "C1", "B4", "A7", "C7"}


def tags_and_words(text: str) -> tuple[dict[str, str], list[str]]:
    """Divide a game into its tags, without quotes, and the words after them."""
    tags: dict[str, str] = {}
    words: list[str] = []
    for line in text.splitlines():
        if line.startswith("["):
            name, _, value = line[1:-1].partition(" ")
            tags[name] = value.strip('"')
        else:
            words += line.replace("#", " # ").replace("*", " * ").split()
    return tags, words


def play(text: str) -> list[tuple[str, int, str]]:
    """Return (side, what the dice counted, the squares of the move or an empty text) of each throw.

    Raises:
        AssertionError: If a move breaks the rules, or is written in another way than RGN's.
    """
    _, words = tags_and_words(text)
    pieces: dict[str, dict[int, int]] = {"A": {0: 7}, "C": {0: 7}}
    done: list[tuple[str, int, str]] = []
    row, again, place, turns = "", False, 0, 0
    while place < len(words):
        word = words[place]
        place += 1
        if word == "#":
            assert place == len(words), "the end is at the end"
        elif word == "/" or word.endswith("."):
            assert not again, "an extra throw belongs to the same turn"
            assert row != ("C" if word == "/" else "A"), "the sides alternate"
            turns += 1
            row = "C" if word == "/" else "A"
            assert word == "/" or int(word[:-1]) == (turns + 1) // 2
        elif word.isdigit():
            assert words[place] == "--"
            place += 1
            again = False
            done.append((row, int(word), ""))
        else:
            marked = place < len(words) and words[place] == "*"
            place += marked
            count, again = _move(pieces, row, word, marked)
            done.append((row, count, word))
    return done


def _move(pieces: dict[str, dict[int, int]], row: str, word: str, marked: bool) -> tuple[int, bool]:
    """Play a move; return the throw, and whether the side throws again."""
    path, enemy = PATHS[row], "C" if row == "A" else "A"
    source = 0 if word[1] == "@" else path.index(word[:2]) + 1
    target = 15 if word[3] == "+" else path.index(word[2:4]) + 1
    assert pieces[row].get(source, 0) > 0, "there is a piece to move"
    assert 1 <= target - source <= 4, "four dice count at most 4"
    assert target == 15 or not pieces[row].get(target), "one piece on a square"
    square = "" if target == 15 else path[target - 1]
    shared = 5 <= target <= 12
    captures = shared and pieces[enemy].get(target, 0) > 0
    assert word.endswith("x") == captures
    assert not (captures and square in ROSETTES), "rosettes are safe"
    assert marked == (square in ROSETTES)
    pieces[row][source] -= 1
    pieces[row][target] = pieces[row].get(target, 0) + 1
    if captures:
        pieces[enemy][target] -= 1
        pieces[enemy][0] = pieces[enemy].get(0, 0) + 1
    return target - source, square in ROSETTES
