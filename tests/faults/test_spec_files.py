"""Files and texts that are no specs at all: each is refused with the reason and the place."""

from pathlib import Path

import pytest

from worldgen.faults import SpecError
from worldgen.spec import Source, read_spec, read_world
from worldgen.spec.sources import LARGEST

GOOD = (Path(__file__).parent / "specs" / "urn.yaml").read_text()


def faults(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read_spec(Source(text, "urn.yaml"))
    return [str(fault) for fault in caught.value.faults]


def test_a_tab() -> None:
    assert faults(GOOD.replace("  A: {category", "\tA: {category")) == [
        "urn.yaml:10:1: this is not YAML: found character '\\t' that cannot start any token; "
        "indent with spaces, not tabs"
    ]


def test_a_control_character() -> None:
    assert faults(GOOD.replace("A ball", "A \x07ball")) == [
        "urn.yaml:3:9: this is not YAML: the character U+0007 may not stand there; "
        "quote texts that hold ': ' or ' #', close every bracket and indent with spaces"
    ]


def test_an_escape_that_stands_for_no_character() -> None:
    assert faults('"\\UFFFFFFFF"') == [
        "urn.yaml:1:1: this is not YAML: the parser cannot read an escape in it; "
        "quote texts that hold ': ' or ' #', close every bracket and indent with spaces"
    ]


def test_a_template_file_that_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "urn.yaml"
    file.write_text(GOOD.replace("[joined-tables]", "{mine: {plain: {file: a.j2}}}"))
    with pytest.raises(SpecError) as caught:
        read_world(file)
    assert [str(fault) for fault in caught.value.faults] == [
        f"{file}:14:34: encodings.mine.plain.file: a.j2: there is no such file; check the path"
    ]


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\n\n"])
def test_an_empty_file(text: str) -> None:
    (found,) = faults(text)
    assert found.startswith("urn.yaml:1:1: ") or text == "---\n"
    assert found.endswith("start with 'kind: cells' or 'kind: cohort'") or text == "---\n"


def test_a_list_is_no_spec() -> None:
    assert faults("[1, 2]") == [
        "urn.yaml:1:1: this should be a mapping and is a list; start with 'kind: cells'"
    ]


def test_deep_nesting_is_refused_before_it_hurts() -> None:
    (found,) = faults("kind: " + "[" * 5000)
    assert found.endswith("the nesting is deeper than 64; flatten it")


def in_file(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(SpecError) as caught:
        read_world(path)
    (fault,) = caught.value.faults
    return str(fault).removeprefix(f"{path}:")


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "urn.yaml"
    assert in_file(file, b"kind: cells\nname: \xe9t\xe9\n") == (
        "2:7: byte 0xe9 is not UTF-8; save the file as UTF-8"
    )
    assert in_file(file, b"PK\x03\x04\0\0") == "1:1: this is a binary file; name a text file in UTF-8"
    assert (
        in_file(file, b"#" * (LARGEST + 1))
        == "1:1: the file is larger than 4 MiB; generate less, or split it"
    )


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="this is a folder; name a file in it"):
        read_spec(str(tmp_path))
    with pytest.raises(SpecError, match=r"urn\.yaml:1:1: there is no such file; check the path"):
        read_spec(str(tmp_path / "urn.yaml"))
    with pytest.raises(SpecError, match=r"the file cannot be read: .*embedded null"):
        read_spec("a\0b.yaml")


def test_a_name_that_is_not_shipped() -> None:
    with pytest.raises(SpecError) as caught:
        read_spec("noisy-senser")
    (fault,) = caught.value.faults
    assert str(fault) == (
        "no shipped spec is named 'noisy-senser'; did you mean 'noisy-sensor'? "
        "(for a file, give its path, ending in .yaml, .yml, .json)"
    )


def test_a_mark_of_byte_order_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "urn.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read_world(file) == read_world(Source(GOOD))
