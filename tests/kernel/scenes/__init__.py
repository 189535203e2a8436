"""What is played in the kernel: each module is a program that `tests.kernel.guest` runs."""
