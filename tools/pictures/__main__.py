"""`python -m tools.pictures`: makes every picture anew. It needs Chromium (`apt-get install chromium`)."""

from tools.pictures.making import make_all

make_all()
