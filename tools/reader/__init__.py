"""How the board reader errs, and for how long: `python -m tools.reader OUT FOLDER…`. README.md says more."""

import os

# Its threads make reads up to ten times slower where two processes share two cores. numpy reads this once.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
