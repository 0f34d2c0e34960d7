"""`python -m winded` is `winded`."""

import sys

from winded.cli import main

sys.exit(main())
