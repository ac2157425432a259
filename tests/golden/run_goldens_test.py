#!/usr/bin/env python3
"""Runs run_goldens on made-up cases, with /bin/sh as the program under test."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).resolve().parent / "run_goldens"


class RunGoldensTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def add(self, name, **files):
        case = self.root / name
        case.mkdir(parents=True)
        for file, text in files.items():
            (case / file).write_text(text, encoding="utf-8")
        return case

    def run_goldens(self, *arguments):
        command = [sys.executable, RUNNER, "--binary", "/bin/sh", "--root", self.root, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_same_output_passes(self):
        self.add("a/plain", cmd="-c 'echo hello'", stdout="hello\n")
        self.add("a/error", cmd="-c 'echo bad >&2; exit 3'", stdout="", stderr="bad\n", status="3\n")
        self.add("a/input", cmd="-c cat", stdin="text", stdout="text")
        self.add("b/environment", cmd="-c 'echo $COLUMNS $NO_COLOR $LC_ALL; ls CMakePresets.json'",
                 stdout="80 1 C.UTF-8\nCMakePresets.json\n")
        done = self.run_goldens()
        self.assertEqual((done.returncode, done.stdout), (0, "goldens: 4 passed, 0 failed\n"))

    def test_other_output_fails_with_a_diff(self):
        self.add("a/differs", cmd="-c 'echo one; echo two'", stdout="one\nthree\n")
        self.add("a/good", cmd="-c 'echo hello'", stdout="hello\n")
        done = self.run_goldens()
        self.assertEqual(done.returncode, 1)
        self.assertIn("-three\n+two\n", done.stdout)
        self.assertIn("goldens: 1 passed, 1 failed\n", done.stdout)

    def test_unexpected_stderr_status_or_missing_stdout_fails(self):
        self.add("a/stderr", cmd="-c 'echo noise >&2'", stdout="")
        self.add("a/status", cmd="-c 'exit 4'", stdout="")
        self.add("a/missing", cmd="-c true")
        for case in ("a/stderr", "a/status", "a/missing"):
            self.assertEqual(self.run_goldens(case).returncode, 1, case)

    def test_update_writes_only_the_given_cases(self):
        changed = self.add("a/changed", cmd="-c 'echo new; echo bad >&2; exit 2'")
        fixed = self.add("a/fixed", cmd="-c 'echo good'", stdout="", stderr="old\n", status="1\n")
        other = self.add("b/other", cmd="-c 'echo new'", stdout="old\n")
        self.assertEqual(self.run_goldens("--update", "a").returncode, 0)
        self.assertEqual((changed / "stdout").read_text(), "new\n")
        self.assertEqual((changed / "stderr").read_text(), "bad\n")
        self.assertEqual((changed / "status").read_text(), "2\n")
        self.assertEqual(sorted(p.name for p in fixed.iterdir()), ["cmd", "stdout"])
        self.assertEqual((other / "stdout").read_text(), "old\n")
        self.assertEqual(self.run_goldens("a").returncode, 0)

    def test_unknown_case_fails(self):
        self.assertNotEqual(self.run_goldens("a/none").returncode, 0)


if __name__ == "__main__":
    unittest.main()
