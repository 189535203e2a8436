"""`python -m urpi` is the command `urpi`."""

from urpi.cli.main import main

if __name__ == "__main__":
    main()
