"""What stands in docs/build/ between markers, made from wiring/: `make -C wiring`."""
