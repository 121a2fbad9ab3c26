"""`python -m hydramind` is the `hydramind` command."""

import sys

from hydramind.cli import main

sys.exit(main())
