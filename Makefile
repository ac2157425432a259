# Front door of the build; the work is in CMakePresets.json and tools/. `make` builds the program at build/warpsight.

JOBS ?= $(shell nproc)
# Ninja when it is there; a build folder that exists keeps its own generator.
ifneq ($(shell command -v ninja),)
export CMAKE_GENERATOR ?= Ninja
endif
export JOBS

.PHONY: all demo test check bench format update-goldens clean setup setup-dev configure build-tests

all: configure
	@cmake --build build -j $(JOBS) --target warpsight

configure:
	@cmake --preset release --log-level=WARNING > /dev/null

demo: setup
	@$(MAKE) --no-print-directory all
	build/warpsight report examples/decode_b1.pt.trace.json.gz

# The generator is looked up again after the setup: Ninja may be new.
test: setup
	@$(MAKE) --no-print-directory build-tests
	ctest --test-dir build -j $$((2 * $(JOBS))) --output-on-failure --no-tests=error

build-tests: configure
	@cmake --build build -j $(JOBS)

check: setup-dev
	tools/presubmit

# The table of speed goals; on a quiet machine. One benchmark alone: build/bench/import_bench --benchmark_filter=...
bench: configure
	@cmake --build build -j $(JOBS) --target warpsight bench_all
	@bench/run.sh build

format:
	git ls-files -z --cached --others --exclude-standard -- '*.cc' '*.h' | xargs -0 -r clang-format -i

update-goldens: all
	tools/update-goldens

clean:
	rm -rf build build-dev build-sanitize

setup:
	@tools/setup

setup-dev:
	@tools/setup --dev
