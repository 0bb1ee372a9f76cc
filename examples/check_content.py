"""Check what the tables of a cohort say against the content digests in their footers, in plain Python.

    python examples/check_content.py cohort

It imports nothing of worldgen. BLAKE3 is written out below, from its paper, because a digest that only one
library could recompute would prove little; where the package `blake3` is installed, that is used instead,
a thousand times as fast. https://github.com/BLAKE3-team/BLAKE3-specs
"""

import json
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK, BLOCK, START, END, PARENT, ROOT = 1024, 64, 1, 2, 4, 8


def compressed(chain: Sequence[int], block: bytes, counter: int, flags: int) -> list[int]:
    """The first eight words of the compression of a block of at most 64 bytes."""
    words = list(struct.unpack("<16I", block.ljust(BLOCK, b"\0")))
    v = [*chain, *IV[:4], counter % 2**32, counter >> 32, len(block), flags]
    for _ in range(7):
        for (a, b, c, d), i in zip(COLUMNS + DIAGONALS, range(0, 16, 2), strict=True):
            for word, right, left in ((words[i], 16, 12), (words[i + 1], 8, 7)):
                v[a] = (v[a] + v[b] + word) % 2**32
                v[d] = turned(v[d] ^ v[a], right)
                v[c] = (v[c] + v[d]) % 2**32
                v[b] = turned(v[b] ^ v[c], left)
        words = [words[place] for place in ORDER]
    return [v[i] ^ v[i + 8] for i in range(8)]


def turned(word: int, bits: int) -> int:
    """A word of 32 bits, rotated to the right."""
    return (word >> bits | word << (32 - bits)) % 2**32


def chained(data: bytes, first: int, root: int) -> list[int]:
    """The chaining value of the tree over `data`, whose first chunk is number `first`."""
    if len(data) <= CHUNK:
        chain = [*IV]
        blocks = [data[i : i + BLOCK] for i in range(0, len(data), BLOCK)] or [b""]
        for i, block in enumerate(blocks):
            last = i == len(blocks) - 1
            chain = compressed(chain, block, first, START * (i == 0) | (END | root) * last)
        return chain
    chunks = -(-len(data) // CHUNK)
    half = 1 << (chunks - 1).bit_length() - 1  # the left tree is full, and holds at least half
    left, right = chained(data[: half * CHUNK], first, 0), chained(data[half * CHUNK :], first + half, 0)
    return compressed(IV, struct.pack("<16I", *left, *right), 0, PARENT | root)


def blake3(data: bytes) -> bytes:
    """BLAKE3 of 256 bits."""
    return struct.pack("<8I", *chained(data, 0, ROOT))


def digest_of(data: bytes) -> bytes:
    """The same, by the package if it is there."""
    try:
        from blake3 import blake3 as installed  # noqa: PLC0415  (the page works without it)
    except ImportError:
        return blake3(data)
    return installed(data).digest()


def streams(kind: Any, values: list[Any]) -> Iterator[bytes]:
    """The byte streams of a column: validity, lengths, values; then those of the items of lists."""
    yield bytes(value is not None for value in values)
    there = [value for value in values if value is not None]
    if pa.types.is_list(kind) or pa.types.is_string(kind):
        sizes = [len(v.encode()) if isinstance(v, str) else len(v or ()) for v in values]
        yield struct.pack(f"<{len(sizes)}q", *sizes)
    if pa.types.is_list(kind):
        yield from streams(kind.value_type, [item for value in there for item in value])
    elif pa.types.is_string(kind):
        yield "".join(there).encode()
    else:
        code = {"bool": "?", "int32": "i", "double": "d"}[str(kind)]
        yield struct.pack(f"<{len(values)}{code}", *(value or 0 for value in values))


def described(field: Any) -> list[str]:
    """A column of the schema in words."""
    kind, depth = field.type, 0
    while pa.types.is_list(kind):
        kind, depth = kind.value_type, depth + 1
    item = {"string": "text", "bool": "boolean", "int32": "int32", "double": "binary64"}[str(kind)]
    return [field.name, "list of " * depth + item, "or null" if field.nullable else "never null"]


def content_digest(table: Any, digest: Callable[[bytes], bytes] = digest_of) -> str:
    """The content digest of a table, in hexadecimal."""
    head = json.dumps([described(field) for field in table.schema], separators=(",", ":")).encode()
    columns = ((field.type, table.column(field.name).to_pylist()) for field in table.schema)
    return digest(head + b"".join(digest(s) for each in columns for s in streams(*each))).hex()


def holds(path: Path) -> bool:
    """Whether a shard can be read and says what its footer claims."""
    try:
        said = pq.read_metadata(path).metadata[b"worldgen.content"].decode()
        return bool(content_digest(pq.read_table(path, partitioning=None)) == said)
    except (OSError, ValueError, KeyError, TypeError):  # it was cut, or is no shard
        return False


def main(folder: str) -> int:
    """Compare every shard with its footer."""
    files = sorted(Path(folder).glob("*/*/*.parquet"))
    wrong = [path for path in files if not holds(path)]
    for path in wrong:
        print(f"{path} does not say what its footer claims")
    print(f"{len(files) - len(wrong)} of {len(files)} files say what their footers claim")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
