# Each target is enough by itself: it makes .venv, installs what it needs, and does its work. A second call installs
# nothing, unless pyproject.toml or constraints.txt changed.

VENV        ?= .venv
PYTHON      ?=
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
LAB_ARGS    ?=
TEST_ARGS   ?=
JOBS        ?= 2
SITE        ?= build/site
SITE_ARGS   ?=
SLIDES      ?= build/slides
LITE        ?= build/lite
export LITE_PYODIDE ?=

# JupyterLab asks whoever opens it first whether it may fetch news. In this environment it does not ask.
NEWS        := @jupyterlab/apputils-extension:announcements
# What the tools for tests bring along into JupyterLab is for their tests: students go on seeing what `make lab` installed.
TEST_LAB    := @jupyter/nbgrader jupyterlab-jupytext @jupyter-notebook/lab-extension \
  @jupyterlite/pyodide-kernel-extension
TEST_SERVER := nbgrader.server_extensions.formgrader nbgrader.server_extensions.validate_assignment \
  nbgrader.server_extensions.assignment_list nbgrader.server_extensions.course_list jupyterlab_jupytext notebook

PY      := $(VENV)/bin/python
PIP     := $(PY) -m pip --disable-pip-version-check --no-input
INSTALL := $(PIP) install --quiet -c constraints.txt -e
DISABLE := $(PY) -m jupyter labextension disable --level=sys_prefix
RULES   := $(VENV)/bin/lint-imports --no-cache
BIOME   := npx --yes --prefer-offline @biomejs/biome@2.6.8 lint --error-on-warnings
PYRIGHT := npx --yes --prefer-offline pyright@1.1.414
STAMPS  := $(VENV)/.stamps
VENV_READY  := $(STAMPS)/venv
TORCH_READY := $(STAMPS)/torch
LAB_READY   := $(STAMPS)/lab
TEST_READY  := $(STAMPS)/test
SITE_READY  := $(STAMPS)/site
LITE_READY  := $(STAMPS)/lite

# Two test processes with two threads each are slower than one alone on two cores. And where Python is told to keep
# nothing that it compiled, each of the hundred kernels and programs that tests start would compile the package again.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help lab test how-long-lab how-long-test bench build site slides lite lint types clean

help: ## show this list
	@echo "Nadaraya-Watson kernel regression is attention pooling: a workbook"
	@echo
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'
	@echo
	@echo "  LAB_ARGS=\"--no-browser --port 8899\"   for jupyter lab      PYTHON=python3.12   another Python, 3.11 or newer"
	@echo "  TEST_ARGS=\"-k heatmap\"                for pytest           TORCH_INDEX=...     another index for PyTorch"

lab: how-long-lab $(LAB_READY) ## open the workbook in JupyterLab
	@$(PY) -m workbook lab $(LAB_ARGS)

# Said first of all, as what follows may be silent for a while.
SETTING_UP := setting up, only this once: about 2 minutes on a quick network, 10 or more on a slow one
how-long-lab:
	@if [ -e $(LAB_READY) ]; then echo "nwlab: JupyterLab opens in some seconds"; else echo "nwlab: $(SETTING_UP)"; fi

how-long-test:
	@if [ ! -e $(TEST_READY) ]; then echo "nwlab: $(SETTING_UP)"; fi
	@echo "nwlab: the tests take about 10 minutes on two quick cores, half an hour on a slow or busy machine"

# The browser tests run beside the others, as a student's browser does: they wait for what they look for, never for a time.
test: how-long-test $(TEST_READY) ## check everything: code, notebooks, links, and the figures in a real browser
	@status=0; \
	echo "nwlab: style, and imports that only point down"; \
	$(PY) -m ruff check . || status=1; \
	$(RULES) || status=1; \
	echo "nwlab: tests, notebooks, and live figures in a browser, $(JOBS) at a time"; \
	$(ONE_THREAD) $(PY) -m pytest --nbval tests notebooks solutions --ignore-glob="*/zh/*" -n $(JOBS) --dist loadscope -rs $(TEST_ARGS) || status=1; \
	exit $$status

bench: $(TEST_READY) ## measure speed, against other ways to do the same (minutes)
	@$(PY) tests/benchmarks/estimator.py
	@$(PY) tests/benchmarks/browser.py

build: $(TEST_READY) ## make and run the notebooks from their sources, and the README's tables
	@$(PY) -m workbook build

site: $(SITE_READY) $(if $(findstring --lite,$(SITE_ARGS)),$(LITE_READY)) ## write the workbook as pages for any web server, into build/site
	@$(PY) -m workbook site --out "$(SITE)" $(SITE_ARGS)

slides: $(SITE_READY) ## write a deck for each plan of the teachers' page, which needs no network, into build/slides
	@$(PY) -m workbook slides --out "$(SLIDES)"

lite: $(LITE_READY) ## write the workbook for a browser tab without a server, into build/lite
	@$(PY) -m workbook lite --out "$(LITE)"

lint: $(TEST_READY) ## check the style of the code, and which package imports which
	@$(PY) -m ruff check .
	@$(RULES)
	@if command -v npx >/dev/null; then $(BIOME); else echo "nwlab: no Node here, so the JavaScript is not checked"; fi

types: $(TEST_READY) ## check the types of nwlab with pyright, which needs Node
	@$(PYRIGHT) --pythonpath "$(PY)"

clean: ## remove what make made: .venv and caches
	if [ -e "$(VENV)/pyvenv.cfg" ]; then rm -rf "$(VENV)"; fi
	rm -rf .pytest_cache .ruff_cache .hypothesis build dist
	find . -name .git -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -type d -prune -exec rm -rf {} +

# --- how .venv comes about; a stamp is made last, so that an interrupted step is done again ---

$(VENV_READY):
	@found=; \
	for python in $(if $(PYTHON),"$(PYTHON)",python3 python3.11 python3.12 python3.13 python3.14 python); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found="$$python"; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "nwlab needs Python 3.11 or newer; $(or $(PYTHON),python3) is $$($(or $(PYTHON),python3) --version 2>&1)."; \
	  echo "Install one from python.org or your system's packages; if it has another name: make lab PYTHON=python3.12"; \
	  exit 1; \
	fi; \
	if ! "$$found" -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "$$found cannot make a virtual environment: its venv or ensurepip module is missing."; \
	  echo "On Debian and Ubuntu: sudo apt-get install python3-venv"; \
	  exit 1; \
	fi; \
	if [ -e "$(VENV)" ] && [ ! -e "$(VENV)/pyvenv.cfg" ]; then \
	  echo "$(VENV) is there and is no virtual environment: move it away, or choose another place with VENV=..."; \
	  exit 1; \
	fi; \
	echo "nwlab: making $(VENV) with $$("$$found" --version)"; \
	"$$found" -m venv --clear "$(VENV)"
	@mkdir -p $(STAMPS) && touch $@

# PyTorch first and alone. What the usual index has for Linux brings gigabytes of GPU libraries, so PyTorch's own index of
# CPU builds is asked too; if that does not answer, pip goes on with what it has, and without trying again.
$(TORCH_READY): constraints.txt $(VENV_READY)
	@echo "nwlab: installing PyTorch for the CPU (about 200 MB)"
	@$(PIP) install --quiet --retries 0 --timeout 20 --extra-index-url "$(TORCH_INDEX)" -c constraints.txt \
	  "$$(grep '^torch==' constraints.txt)" \
	  || { echo "nwlab: PyTorch could not be installed; try again, or name another index: make TORCH_INDEX=..."; exit 1; }
	@touch $@

$(LAB_READY): pyproject.toml constraints.txt $(TORCH_READY)
	@echo "nwlab: installing JupyterLab and the workbook"
	@$(INSTALL) ".[lab]"
	@echo "nwlab: listing this machine's fonts, once"
	@$(PY) -c "import matplotlib.font_manager" 2>/dev/null
	@$(DISABLE) $(NEWS) >/dev/null 2>&1 || true
	@touch $@

$(SITE_READY): pyproject.toml constraints.txt $(LAB_READY)
	@echo "nwlab: installing what makes the site"
	@$(INSTALL) ".[site]"
	@touch $@

$(LITE_READY): pyproject.toml constraints.txt $(LAB_READY)
	@echo "nwlab: installing JupyterLite"
	@$(INSTALL) ".[lite]"
	@$(DISABLE) @jupyterlite/pyodide-kernel-extension >/dev/null 2>&1
	@touch $@

$(TEST_READY): pyproject.toml constraints.txt $(LAB_READY)
	@echo "nwlab: installing the tools for tests"
	@$(INSTALL) ".[test]"
	@$(DISABLE) $(TEST_LAB) >/dev/null 2>&1
	@$(PY) -c 'import json, sys; print(json.dumps({"ServerApp": {"jpserver_extensions": dict.fromkeys(sys.argv[1:], False)}}))' \
	  $(TEST_SERVER) > $(VENV)/etc/jupyter/jupyter_server_config.d/students.json
	@touch $@
