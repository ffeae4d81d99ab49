# Every chore is one word. `make` alone lists them; the text after ## is what it prints.
# The scripts make .venv on first use and do nothing twice, so any target works on a fresh checkout.

PY := .venv/bin/python
NPM := $(PY) hatch_build.py npm
# Half as many again as there are cores: much of a test is waiting for processes.
WORKERS := $(shell n=$$(nproc); w=$$(( n + (n + 1) / 2 )); echo $$(( w < 6 ? w : 6 )))

# Hundreds of Python processes start in a check or a test; each reads what the first of them compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test coverage check dev bench bench-learners chaos types reference constraints wheel clean

help: ## list these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: ## set up what is missing, then start the lab and open it in the browser (ARGS="--port 9000")
	@scripts/setup.sh run
	@exec .venv/bin/rl-lab serve $(ARGS)

test: ## all tests: vitest, then pytest up to the real browser, on every core (ARGS="-k replay")
	@scripts/setup.sh dev
	@scripts/setup-browser.sh
	@$(NPM) run test
	@$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

coverage: ## all Python tests again, counting the lines they run; core, store, orchestrator and api need 90 %
	@scripts/setup.sh dev
	@scripts/setup-browser.sh
	@$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --cov --cov-report= $(ARGS)
	@$(PY) scripts/coverage_by_package.py

check: ## what must hold before a commit: lint, types, layers, fresh generated types, size of the page
	@scripts/setup.sh dev
	@scripts/check.sh

dev: ## the lab and a page that reloads as you edit web/ (http://127.0.0.1:5173)
	@scripts/setup.sh dev
	@scripts/dev.sh $(ARGS)

bench: ## measure the lab; the figures belong in docs/performance.md
	@scripts/setup.sh dev
	@$(PY) -m bench $(ARGS)

bench-learners: ## measure the learners against each other (minutes)
	@scripts/setup.sh dev
	@$(PY) -m bench.learners --report docs/performance.md --profile $(ARGS)

chaos: ## the long reliability suite: hundreds of kills, a full disk (tens of minutes)
	@scripts/setup.sh dev
	@RL_LAB_CHAOS=long $(PY) -m pytest tests/integration tests/security -m chaos --timeout=3600 $(ARGS)

types: ## regenerate web/src/api/schema.gen.ts from the API
	@scripts/setup.sh dev
	@scripts/types.sh web/src/api/schema.gen.ts

reference: ## regenerate docs/reference/ from the code
	@scripts/setup.sh dev
	@$(PY) scripts/reference.py

constraints: ## rewrite constraints.txt and requirements/ (with hashes) from the versions in .venv
	@scripts/setup.sh dev
	@$(PY) scripts/constraints.py

wheel: ## build the wheel and the sdist, page included, into dist/
	@scripts/setup.sh dev
	@scripts/wheel.sh

clean: ## remove .venv, built pages and caches; never a run
	rm -rf .venv dist build src/rl_lab/static web/node_modules web/dist test-output
	rm -rf .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
