# The commands of the project. `make demo` and `make test` do all their own set-up.
.PHONY: demo test check audit bench trial soak torture fuzz pictures hardware bundle format lock clean

BIN := .venv/bin
DEMO_OPTIONS ?=
TRIAL_OPTIONS ?= --every --matches 500 --rendered 10
FUZZ_S ?= 3600
SOAK_OPTIONS ?= --hours 168 --painted 14 --picture soak.png

demo:
	@scripts/prepare.sh
	@$(BIN)/uckers-table demo $(DEMO_OPTIONS)

test:
	@scripts/prepare.sh --test
	@scripts/test.sh

check:
	@scripts/prepare.sh
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/test_documents.py

# Whether a pinned package has a known fault; skipped, with a word, where the list of them cannot be reached.
audit:
	@scripts/prepare.sh
	@$(BIN)/python scripts/audit.py

# How often the referee is right; hours, most of them for the matches through real pixels.
trial:
	@scripts/prepare.sh
	@$(BIN)/uckers-table trial $(TRIAL_OPTIONS)

# A table for a simulated week: whether memory, handles, threads or the time to a ruling grow. An hour or so.
soak:
	@scripts/prepare.sh
	@$(BIN)/uckers-table soak $(SOAK_OPTIONS)

# Kills, power cuts and calls of the system that fail, hundreds of each. An hour or so.
torture:
	@scripts/prepare.sh --test
	TORTURE=300 CUTS=1000 EXT4_CUTS=30 FAILURES=300 $(BIN)/pytest tests/keeping/test_resume.py \
		tests/keeping/test_power_cuts.py tests/keeping/test_failing_cards.py tests/record/test_torn_commands.py

# An hour of mangled files, pictures and lines, other ones each time. `make test` runs a minute of them.
fuzz:
	@scripts/prepare.sh --test
	@end=$$(($$(date +%s) + $(FUZZ_S))); while [ $$(date +%s) -lt $$end ]; do \
		UCKERS_FUZZ=10 $(BIN)/pytest -q tests/fuzz || exit 1; done

bench:
	@scripts/prepare.sh
	@$(BIN)/python bench/bench.py

# Every picture in README, docs and page, from the program as it is; the tests say when one is old.
pictures:
	@scripts/prepare.sh --test
	@$(BIN)/python -m tools.pictures

# Every drawing, wiring diagram, pin table and printed part, anew.
hardware:
	@scripts/prepare.sh --hardware
	$(BIN)/python -m hardware

# All that a table without internet needs to be installed: dist/uckers-table-bundle.tar.
bundle:
	@scripts/prepare.sh
	@scripts/bundle.sh

format:
	@scripts/prepare.sh
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Pins every package, for all platforms and Python versions that the project runs on.
lock:
	@scripts/prepare.sh
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
		--python-version 3.11 --extra dev --extra hardware pyproject.toml -o requirements.lock
	scripts/lock_table.sh

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
