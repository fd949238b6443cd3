"""Run the command ``tableapi`` as ``python -m tableapi``."""

import sys

from tableapi.command_line import main

if __name__ == "__main__":
    sys.exit(main())
