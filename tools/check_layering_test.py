#!/usr/bin/env python3
"""Runs tools/check-layering on made-up source trees."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent / "check-layering"


class CheckLayeringTest(unittest.TestCase):
    def check(self, files):
        """Writes {path: text} to a fresh tree and returns (exit status, stderr) of the tool."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = pathlib.Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True, check=False)
            return done.returncode, done.stderr

    def assert_allowed(self, path, included):
        status, errors = self.check({path: f'#include "{included}"\n'})
        self.assertEqual((status, errors), (0, ""), f"{path} -> {included}")

    def assert_forbidden(self, path, included):
        status, errors = self.check({path: f'// comment\n#include "{included}"\n'})
        self.assertEqual(status, 1, f"{path} -> {included}")
        self.assertIn(f"{path}:2: ", errors)
        self.assertIn("may include: ", errors)

    def test_allowed_arrows(self):
        for path, included in [
            ("trace/a.h", "base/status.h"),
            ("trace/a.h", "trace/b.h"),
            ("counters/a.h", "trace/a.h"),
            ("formats/ncu_rep/a.cc", "counters/a.h"),
            ("analysis/a.cc", "counters/a.h"),
            ("formats/torch_json/a.cc", "formats/importer.h"),
            ("formats/torch_json/a.cc", "trace/a.h"),
            ("formats/native/a.cc", "wire/a.h"),
            ("formats/native/a.cc", "formats/importer.h"),
            ("formats/registry.cc", "formats/native/a.h"),
            ("capture/a.cc", "wire/a.h"),
            ("export/perfetto/a.cc", "trace/a.h"),
            ("export/a_test.cc", "formats/registry.h"),
            ("analysis/a.cc", "document/a.h"),
            ("diagnosis/a.cc", "analysis/a.h"),
            ("render/a.cc", "document/a.h"),
            ("server/api/a.cc", "render/a.h"),
            ("server/http/a.cc", "server/api/a.h"),
            ("cli/a.cc", "formats/registry.h"),
            ("analysis/a_test.cc", "formats/registry.h"),
        ]:
            self.assert_allowed(path, included)

    def test_forbidden_arrows(self):
        for path, included in [
            ("base/a.h", "trace/a.h"),
            ("trace/a.h", "counters/a.h"),
            ("export/a.cc", "formats/registry.h"),
            ("export/a.cc", "analysis/a.h"),
            ("counters/a.h", "formats/importer.h"),
            ("trace/a.h", "formats/importer.h"),
            ("formats/torch_json/a.cc", "wire/a.h"),
            ("formats/a.cc", "analysis/a.h"),
            ("capture/a.cc", "trace/a.h"),
            ("analysis/a.cc", "formats/registry.h"),
            ("analysis/a.cc", "diagnosis/a.h"),
            ("document/a.h", "trace/a.h"),
            ("render/a.cc", "analysis/a.h"),
            ("server/api/a.cc", "server/http/a.h"),
            ("server/http/a.cc", "trace/a.h"),
            ("diagnosis/a.cc", "cli/a.h"),
            ("render/a_test.cc", "analysis/a.h"),
            ("trace/a.h", "neighbour.h"),
        ]:
            self.assert_forbidden(path, included)

    def test_angle_brackets_and_comments_are_not_looked_at(self):
        status, _ = self.check({"base/a.h": '#include <trace/a.h>\n// #include "trace/a.h"\n'})
        self.assertEqual(status, 0)

    def test_unknown_folder(self):
        status, errors = self.check({"helpers/a.h": ""})
        self.assertEqual(status, 1)
        self.assertIn("not in the layering table", errors)

    def test_every_forbidden_include_is_reported(self):
        status, errors = self.check({"base/a.h": '#include "trace/a.h"\n#include "cli/a.h"\n', "trace/b.h": ""})
        self.assertEqual(status, 1)
        self.assertIn("base/a.h:1: ", errors)
        self.assertIn("base/a.h:2: ", errors)
        self.assertIn("2 forbidden includes in 2 files", errors)

    def test_missing_folder(self):
        done = subprocess.run([sys.executable, TOOL, "/nonexistent"], capture_output=True, check=False)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
