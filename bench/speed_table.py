#!/usr/bin/env python3
"""Prints the speed goals and what was measured for each.

usage: bench/speed_table.py BUILD_FOLDER

Reads what import_bench, memory_bench and pass_bench left in BUILD_FOLDER/bench/data/ (bench/run.sh runs them) and times
`warpsight report` itself. Exits with 1 when a goal is missed.
"""
import json
import os
import statistics
import subprocess
import sys
import time

REPORT_RUNS = 9


def read_rows(path):
    """Benchmark rows by name without the iteration suffix: {"BM_ImportFile/1": {...}}."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    return {row["name"].split("/iterations")[0].replace("/manual_time", ""): row for row in rows}


def report_seconds(binary, trace):
    """Median wall time of `warpsight report`, output thrown away; None when it fails."""
    seconds = []
    for _ in range(REPORT_RUNS):
        start = time.perf_counter()
        run = subprocess.run([binary, "report", trace], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        seconds.append(time.perf_counter() - start)
        if run.returncode != 0:
            return None
    return statistics.median(seconds)


def value(rows, name, counter):
    return rows.get(name, {}).get(counter)


def ratio(numerator, denominator):
    return None if numerator is None or not denominator else numerator / denominator


def measure(build):
    """(what, goal text, whether a value meets the goal, measured value, unit) for each goal."""
    data = os.path.join(build, "bench", "data")
    large = read_rows(os.path.join(data, "import_x10.json"))
    small = read_rows(os.path.join(data, "import_x1.json"))
    memory = read_rows(os.path.join(data, "memory.json"))
    passes = read_rows(os.path.join(data, "passes.json"))
    trace = os.path.join(data, "x10.json")
    small_trace = os.path.join(data, "x1.json")
    binary = os.path.join(build, "warpsight")
    has_report = os.path.exists(binary)
    large_report = report_seconds(binary, trace) if has_report else None
    small_report = report_seconds(binary, small_trace) if has_report else None
    bytes_ratio = os.path.getsize(trace) / os.path.getsize(small_trace)
    # Through the bare scan, which is linear: the two traces are measured minutes apart.
    import_growth = ratio(value(small, "BM_ImportFile/1", "of_bare_scan"), value(large, "BM_ImportFile/1", "of_bare_scan"))
    # A small file pays the start of the program too: only growing faster than the file is a fault.
    linear = lambda x: x <= 1.15
    return [
        ("bare scan, 1 thread", "(base)", None, value(large, "BM_BareScan", "GB_per_s"), "GB/s"),
        ("import, 1 thread", "(speed)", None, value(large, "BM_ImportFile/1", "GB_per_s"), "GB/s"),
        ("import, 1 thread, from memory", ">= 0.7 of bare scan", lambda x: x >= 0.7,
         value(large, "BM_ImportMemory/1", "of_bare_scan"), "x"),
        ("import, 1 thread, from file", ">= 0.7 of bare scan", lambda x: x >= 0.7,
         value(large, "BM_ImportFile/1", "of_bare_scan"), "x"),
        ("  the same by processor time", "(on a busy machine)", None,
         value(large, "BM_ImportFile/1", "by_cpu_time"), "x"),
        ("import, all cores", ">= 1.4 GB/s on 2 cores", lambda x: x >= 1.4,
         value(large, "BM_ImportFile/0", "GB_per_s"), "GB/s"),
        ("inflate", "(speed)", None, value(large, "BM_Inflate", "GB_per_s"), "GB/s"),
        ("json.gz, all cores", ">= 0.8 of the slower half", lambda x: x >= 0.8,
         value(large, "BM_ImportGzip/0", "of_slower_half"), "x"),
        ("report, 268 MB, end to end", "<= 0.25 s on 2 cores", lambda x: x <= 0.25, large_report, "s"),
        ("all passes of report", "< 0.25 of the import", lambda x: x < 0.25, value(passes, "BM_ReportPasses/0/0", "of_import"), "x"),
        ("  the same by processor time", "(on a busy machine)", None,
         value(passes, "BM_ReportPasses/0/0", "of_import_by_cpu_time"), "x"),
        ("peak anonymous memory", "<= 0.5 of the JSON", lambda x: x <= 0.5, value(memory, "BM_PeakOfFile/0", "of_json_size"), "x"),
        ("peak anonymous memory, json.gz", "<= 0.5 of the JSON", lambda x: x <= 0.5,
         value(memory, "BM_PeakOfGzip/0", "of_json_size"), "x"),
        ("import time per byte, 10x / 1x", "<= 1.15", linear, import_growth, "x"),
        ("report time per byte, 10x / 1x", "<= 1.15", linear,
         ratio(ratio(large_report, small_report), bytes_ratio), "x"),
    ]


def main():
    missed = 0
    print(f"{'what':34}  {'goal':26}  {'measured':>12}  met")
    for what, goal, meets, measured, unit in measure(sys.argv[1]):
        text = "not measured" if measured is None else f"{measured:.3g} {unit}"
        met = "" if meets is None or measured is None else ("yes" if meets(measured) else "NO")
        missed += met == "NO"
        print(f"{what:34}  {goal:26}  {text:>12}  {met}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
