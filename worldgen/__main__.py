"""`python -m worldgen`: the command line, where the script `worldgen` is not on the path."""

from worldgen.cli.start import main

if __name__ == "__main__":
    try:
        main()
    finally:
        # Once a KeyboardInterrupt has left code that was run from text, as where a named tuple is made,
        # `python -m` ends by SIGINT, whatever code it is to exit with. The next such code makes it forget.
        exec("")
