#!/usr/bin/env bash
# Measures the speed goals and prints one row per goal (speed_table.py says which). Run it on a quiet machine.
# usage: bench/run.sh [BUILD_FOLDER]      default: build
#
# environment: WARPSIGHT_BENCH_SOURCE (recording that is grown; default: train_b2 in the data folder beside the repository,
# else examples/decode_b1.pt.trace.json.gz)
# Traces of about 27 and ten times as many MB are made in BUILD_FOLDER/bench/data/ and stay there for the next run.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
shared=${WARPSIGHT_SHARED_DATA:-../shared/data}/h200/torch/train_b2.pt.trace.json.gz
source=${WARPSIGHT_BENCH_SOURCE:-$shared}
[[ -e $source ]] || source=examples/decode_b1.pt.trace.json.gz
data=$build/bench/data
mkdir -p "$data"

small_bytes=26500000
source_bytes=$("$build/bench/grow" "$source" - 1 | wc -c)
copies=$(((small_bytes + source_bytes - 1) / source_bytes))
for times in 1 10; do
  trace=$data/x$times.json
  if [[ ! -e $trace.gz || $(cat "$data/source" 2> /dev/null) != "$source" ]]; then
    "$build/bench/grow" "$source" "$trace" $((copies * times))
    # The profiler's own files are written by zlib at level 6 or 9; this decides how fast they inflate.
    gzip -6 -k -f "$trace"
  fi
  WARPSIGHT_BENCH_TRACE=$trace "$build/bench/import_bench" --benchmark_out="$data/import_x$times.json" \
    --benchmark_out_format=json --benchmark_counters_tabular=true
done
echo "$source" > "$data/source"
WARPSIGHT_BENCH_TRACE=$data/x10.json "$build/bench/memory_bench" --benchmark_out="$data/memory.json" \
  --benchmark_out_format=json --benchmark_counters_tabular=true
WARPSIGHT_BENCH_TRACE=$data/x10.json "$build/bench/pass_bench" --benchmark_out="$data/passes.json" \
  --benchmark_out_format=json > /dev/null
echo
python3 bench/speed_table.py "$build"
