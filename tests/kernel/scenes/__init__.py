"""The scenes: each module is a program that `tests.kernel.guest` runs in the kernel."""
