#!/bin/sh
# What sampling clocks and power costs a launch: launch_cost under `record` without samples, at ten a second and at
# fifty, in turn, so that a machine whose speed drifts does not decide; then what was sampled.
#
# usage: sampling_cost.sh WARPSIGHT [ROUNDS] [LAUNCHES]     on a machine with a GPU and nvcc
set -eu
warpsight=$1
rounds=${2:-7}
launches=${3:-400000}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O2 -o "$work/launch_cost" "$here/launch_cost.cu"
for round in $(seq "$rounds"); do
  for hz in 0 10 50; do
    "$warpsight" record --quiet -f -o "$work/$hz.wscap" --nvml-frequency "$hz" -- "$work/launch_cost" "$launches" |
      awk -v hz="$hz" '{print hz, $2}' >> "$work/costs"
  done
done
for hz in 0 10 50; do
  awk -v hz="$hz" '$1 == hz {print $2}' "$work/costs" | sort -n |
    awk -v hz="$hz" '{v[NR] = $1} END {print hz " Hz: median " v[int((NR + 1) / 2)] " ns a launch, " v[1] " to " v[NR]}'
done
"$warpsight" info "$work/50.wscap"
"$warpsight" lint "$work/50.wscap" || true
