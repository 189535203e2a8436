"""The generated parts of docs/build/, between markers: `make -C wiring`."""
