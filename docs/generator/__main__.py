"""`python -m docs.generator` writes every generated page."""

from pathlib import Path

from docs.generator.pages import write

if __name__ == "__main__":
    write(Path(__file__).parents[1])
