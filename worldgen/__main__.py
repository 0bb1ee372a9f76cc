"""`python -m worldgen`: the command line, where the script `worldgen` is not on the path."""

from worldgen.cli.main import main

if __name__ == "__main__":
    main(prog_name="python -m worldgen")
