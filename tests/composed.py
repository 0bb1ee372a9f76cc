"""Names of variants with parts: every part in some, alone and with others."""

COMPOSED = (
    "at-1", "at-3", "at-3+draft", "at-3+draft+slip-1", "full-2+draft", "union-2+draft", "canonical+draft-2",
    "canonical+draft-2+slip-2", "at-2+indexed", "at-2+direct", "at-2+padded", "canonical+padded",
    "at-2+opaque", "full-1+remapped", "union-1+remapped", "at-2+aligned", "at-2+conflicting",
    "union-2+conflicting", "at-2+character", "canonical+character", "at-2+wording-1", "at-2+wording-2",
    "canonical+wording-1", "canonical+draft-1+wording-2", "at-2+reversed", "full-2+permuted",
    "at-2+draft+direct+conflicting+character+wording-1+permuted", "trie-2+opaque+wording-2",
    "at-2+draft+slip-1+padded+opaque+wording-2+reversed", "opaque-keys+wording-1",
    "at-2+named", "at-3+draft+slip-1+named+conflicting+wording-1", "union-2+draft+named+opaque+permuted",
    "full-2+draft+named+aligned+character+wording-2+reversed",
)  # fmt: skip
