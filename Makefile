# liaison from the command line. `make help` lists what there is; CMake does the building.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_OPTIONS ?=
BUILD = build

.DEFAULT_GOAL := all
.NOTPARALLEL:
.PHONY: all run test verify bench gallery install format clean help setup-build setup-test setup-gallery product \
	release asan dev clang fuzz

all: setup-build product ## build build/liaison and build/libliaison.so

run: all ## build, then run the main example
	@$(BUILD)/liaison run examples/skater/skater.lia

test: setup-test ## all tests, plain and under the sanitizers
	@$(MAKE) --no-print-directory release asan || { echo "0 passed, 1 failed"; exit 1; }
	@scripts/run-tests $(BUILD)/release $(BUILD)/asan

verify: ## the long campaigns: both compilers, random models, fuzzing
	@scripts/verify

bench: all ## build and run the benchmarks; BENCH="--only skater" for one of them
	@cmake --build $(BUILD)/release --target bench -j $(JOBS) -- --no-print-directory -s
	@scripts/run-bench $(BUILD)/release $(BENCH)

gallery: setup-gallery product ## build/gallery: a site of all examples, with their pages, and of the documentation
	@[ -d $(BUILD)/web/node_modules ] || { echo "the gallery needs node and npm"; exit 1; }
	@node web/gallery.mjs $(BUILD)/web $(BUILD)/gallery

install: all ## install under PREFIX (default /usr/local)
	@cmake --install $(BUILD)/release --prefix "$(abspath $(PREFIX))"

format: ## lay out all sources with clang-format
	@scripts/format

clean: ## remove what was built
	@rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | \
		while IFS='|' read -r what why; do printf '  make %-10s %s\n' "$$what" "$$why"; done

setup-build:
	@scripts/setup build

setup-test:
	@scripts/setup test

setup-gallery:
	@scripts/setup gallery

# Configuring again is quick; it is quiet unless it fails. CMAKE_OPTIONS=-DLIAISON_PORTABLE=ON and the like. Two builds at a
# time wait for each other, where there is flock.
# $(call build,PRESET,TARGET)
lock = $(if $(shell command -v flock),flock $(BUILD)/lock)
define build
	@mkdir -p $(BUILD)
	@$(lock) sh -c '{ cmake --preset $(1) $(CMAKE_OPTIONS) >$(BUILD)/$(1).log 2>&1 || { cat $(BUILD)/$(1).log; false; }; } && \
		cmake --build $(BUILD)/$(1) --target $(2) -j $(JOBS) -- --no-print-directory -s'
endef

product:
	$(call build,release,product)

# the fuzzing programs alone
fuzz:
	$(call build,fuzz,fuzzers)

# One rule for every other preset of CMakePresets.json: all of it, tests included.
release asan dev clang:
	$(call build,$@,all)
