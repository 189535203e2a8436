"""Generator of the drawings of wiring/ from wiring/pins.toml and wiring/dice.toml."""
