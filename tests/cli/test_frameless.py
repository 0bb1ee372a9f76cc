"""Commands do not wait for pandas, which Arrow would import for its first array."""

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_a_command_imports_no_pandas() -> None:
    words = [sys.executable, "-X", "importtime", "-m", "worldgen", "preview", "noisy-sensor", "--seed", "7"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.stdout and "pyarrow.lib" in imported and "pandas.core.frame" not in imported
