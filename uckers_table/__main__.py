"""`python -m uckers_table` is `uckers-table`."""

import sys

from uckers_table.commands.cli import main

sys.exit(main())
