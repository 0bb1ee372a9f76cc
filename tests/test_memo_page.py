"""The page on memos can be followed, and shows one template twice alike."""

import re
from pathlib import Path

import pytest

from tests.test_readme import follow

PAGE = (Path(__file__).parents[1] / "docs" / "memos.md").read_text(encoding="utf-8")


def test_the_page_can_be_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    follow(PAGE)
    assert capsys.readouterr().out.startswith("visits: {1: ")


def test_the_template_shown_is_the_one_that_runs() -> None:
    (shown,) = re.findall(r"^```jinja\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert f'source = """\\\n{shown}"""' in PAGE
