"""The drawings of wiring/, made from wiring/pins.toml and wiring/dice.toml: `make -C wiring`."""
