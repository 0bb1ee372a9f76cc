"""The reader of WordNet's files, on files of a page, and the words that it has."""

from pathlib import Path

import pytest

from worldgen.lexicon.screening import Screen, cued, doubled
from worldgen.lexicon.wordnet import WordNet, read_wordnet

LICENCE = "  1 a licence stands before the data  \r\n"
# offset, file, kind, number of lemmas in hexadecimal, lemmas with their numbers, pointers, gloss
SENSES = [
    "00000100 03 n 01 thing 0 002 ~ 00000200 n 0000 + 00000900 v 0101 | that which is",
    '00000200 03 n 02 pet 0 Pet_dog 1 001 @ 00000100 n 0000 | an animal kept at home; "a pet is a friend"',
    "00000300 03 n 0b a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 k 0 001 @i 00000200 n 0000 | eleven letters",
    "00000400 03 n 02 cat 0 puss 0 002 @ 00000200 n 0000 ;u 00000500 n 0000 | a pet that purrs",
    "00000500 03 n 01 ethnic_slur 0 000 | a slur",
    "00000600 03 n 02 Turkey 0 turkey 0 001 @ 00000100 n 0000 | a country; or a bird",
    "00000700 03 n 01 pet 0 001 @ 00000100 n 0000 | a fit of bad temper",
]
INDEX = {
    "noun": [
        "pet n 2 1 @ 2 1 00000700 00000200",
        "cat n 1 2 @ ;u 1 0 00000400",
        "turkey n 1 1 @ 1 0 00000600",
        "thing n 1 1 ~ 1 0 00000100",
        "puss n 1 1 @ 1 0 00000400",
        "pet_dog n 1 1 @ 1 0 00000200",
    ],
    "verb": ["eat v 1 1 @ 1 0 00000900"],
    "adj": ["red a 1 0 1 0 00000900"],
    "adv": ["now r 1 0 1 0 00000900"],
}


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    for name, lines in {
        "data.noun": SENSES,
        **{f"index.{part}": lines for part, lines in INDEX.items()},
    }.items():
        text = LICENCE + "".join(f"{line}  \r\n" for line in lines)
        (tmp_path / name).write_bytes(text.encode())
    return read_wordnet(tmp_path)


def test_a_sense_has_its_lemmas_its_definition_and_what_it_points_to(wordnet: WordNet) -> None:
    pet, eleven, cat = (wordnet.senses[offset] for offset in ("00000200", "00000300", "00000400"))
    assert pet.lemmas == ("pet", "Pet_dog") and pet.definition == "an animal kept at home"
    assert eleven.lemmas == tuple("abcdefghijk")
    assert [*map(sorted, (cat.above, cat.usage, cat.linked))] == [
        ["00000200"],
        ["00000500"],
        ["00000200", "00000500"],
    ]
    # What points to a verb is no pointer between nouns.
    assert wordnet.senses["00000100"].linked == {"00000200"}
    assert wordnet.ancestors("00000300") == {"00000300", "00000200", "00000100"}


def test_nouns_are_those_in_lower_case_with_their_own_senses_in_the_order_of_the_index(
    wordnet: WordNet,
) -> None:
    offsets = {noun: [sense.offset for sense in senses] for noun, senses in wordnet.nouns.items()}
    assert offsets == {
        "cat": ["00000400"],
        "pet": ["00000700", "00000200"],
        "puss": ["00000400"],
        "thing": ["00000100"],
        "turkey": ["00000600"],
    }
    assert wordnet.names == {"pet_dog", "turkey"}
    assert {part: sorted(words) for part, words in wordnet.words.items()} == {
        "noun": ["cat", "pet", "puss", "thing", "turkey"],
        "verb": ["eat"],
        "adj": ["red"],
        "adv": ["now"],
    }


def test_a_screen_leaves_out_names_slurs_rare_words_and_what_has_synonyms(wordnet: WordNet) -> None:
    zipf = {"cat": 480, "pet": 470, "puss": 249, "thing": 550, "turkey": 430}
    screen = Screen(wordnet, zipf)
    assert screen.known == {"cat", "pet", "thing", "turkey"}
    assert screen.listed == ("pet", "thing")  # a cat is marked as a slur here, turkey is also a name
    assert {noun: sense.offset for noun, sense in screen.answers.items()} == {
        "pet": "00000700",
        "thing": "00000100",
    }
    # The country is below a thing, as a pet is, in one of its senses.
    assert screen.akin(screen.answers["thing"], "pet") and screen.akin(screen.answers["pet"], "turkey")
    assert screen.synonyms("cat", "puss") and not screen.synonyms("cat", "pet")


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_wordnet(tmp_path)


CUES = {
    ("the act of creating", "creation"): True,  # creat-, all but the last three
    ("to create", "creation"): True,
    ("the crease", "creation"): False,  # crea-
    ("a large cathouse", "cat"): True,
    ("a Cat", "cat"): True,
    ("the form", "formula"): True,
    ("the act", "theory"): False,  # the: fewer than four letters
    ("an art", "artist"): False,
    ("young tree", "seedling"): False,
}


@pytest.mark.parametrize(("definition", "noun"), CUES)
def test_cues(definition: str, noun: str) -> None:
    assert cued(definition, noun) == CUES[definition, noun]
    assert doubled(noun) == any(noun.count(letter) > 1 for letter in noun)
