"""Runs contract.py with Gymnasium, or its stand-in, and without: one process each, since
the package looks for it once."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


class Gymnasium(unittest.TestCase):
    def run_contract(self, how):
        done = subprocess.run([sys.executable, "-W", "error::ResourceWarning", os.path.join(HERE, "contract.py"), how], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("OK", done.stderr)

    def test_with(self):
        self.run_contract("gymnasium")

    def test_without(self):
        self.run_contract("plain")


if __name__ == "__main__":
    unittest.main()
