"""What shipped cohorts say, pinned: forty roots of each, by the content digest of either side.

Content digests do not depend on the version of Arrow. One that changes is a change of what a seed means:
cohorts that people have emitted could no longer be verified.
"""

from pathlib import Path

import pytest

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import read_manifest
from worldgen.emission.emit import emit
from worldgen.spec import cohort_of, read_spec

ROOTS, SEED = 40, 20_261_130

DIGESTS = {
    ("contracts", "systemone"): (
        "c617d7efabcd8228ddf7f8ecfb9ef170c07c76ff420c360fadaa9478114fa14a",
        "41ab99a61a8c9d3b07f9137de831b6adecfdb4d035ca51827e52fbedaefb5226",
    ),
    ("contracts", "chat"): (
        "32c64abf525f5476c460e5ef92439cfda75aee9bcd6ad7b4e31d4307fea4e5b2",
        "90c074ca731155b8665ddb09dd031f48e9902b58b9beff88091b940da55ebe4c",
    ),
    ("covert-transfer", "systemone"): (
        "08c8bb24b521bd4f8fd031c022ab39c4cc4be0e9bd9db3acec451810fb832931",
        "ddff8c65d30360a0faa6f8c042ece30f87cc2156ccfe8aa14ed3d42821298d85",
    ),
    ("covert-transfer", "chat"): (
        "6416c26160e16115a5ea688215e1a7b1a2f315d92e08e6a888dbc4f96dced025",
        "2ecd88906d1dd42c23c8d4acffe86171b8812c24e131ccf2322d816e1e78ebc1",
    ),
    ("credit-risk", "systemone"): (
        "aeeceb8d3930fbfb328fa2fdc601b9c8329ba6dd20544035a842af8fe5d50c33",
        "72ac035054f72be97334d4d4fc048e77a94177cc468c78875e955aee20c04b0f",
    ),
    ("credit-risk", "chat"): (
        "185d3ed099fe6d95e743585011d14296f276693f7216ef4fd5ea3f933c73730a",
        "53a9b910caa5ba8b629d46f5558f0b7fd94eca232e5851204b6392b5548506af",
    ),
    ("finite-population", "systemone"): (
        "a355952e9de3600ecf1c49961d6ed0da6c185192d7b18bcd4d33738d1cd27b26",
        "14e69c755906521e72aa66c3b771852ca679be8c75e4135c79db7a7671212740",
    ),
    ("finite-population", "chat"): (
        "7d52295e55d10a3a0de2f0be2586a72a7d2effdcf5529730e4e4bd8e2dd561f5",
        "7457d5a63feb08c37ac49760277da918651d45e3fc0b0c222a8b019c7f3b3da7",
    ),
    ("headroom", "systemone"): (
        "6a84f4695c8d78c3b773cbd6de9d85ee312bed6e9c0ecd3ce938f0915a86b9d3",
        "bdfbbff4ffff9a8726d2009b77e63127a8c249d504604bf3161b7468ce0f79bf",
    ),
    ("headroom", "chat"): (
        "97dc4b22deb2cb98c6e71650ab69ab38ca94ccc83c892f42ebc15cfc05d7f7d4",
        "d5c4c7c61aa2672f9b1dfd60304580832783bb775e13fe53daa2204c0d08007d",
    ),
    ("joint-attributes", "systemone"): (
        "bb8a76294603868dfac3ea4eed7b650826d251d20a49962c87ae56f7fb306dd9",
        "fc380b5f54473f8640f75b7463e21072f8e8c01573c702246ba2ba4ce41c2bfe",
    ),
    ("joint-attributes", "chat"): (
        "6ccadc89a53127e27ad483cd5cd81b2647752a9cb1a075204956dabb32f350bb",
        "9caafb488f724186e083c50e9871407a7fab5ed971e96da235779ebc89c7c2ed",
    ),
    ("lexical", "systemone"): (
        "bf13c16915ce21cf1a0058f6c76fa394a111a6d4d9e5098691c002e0dfac61f3",
        "c62517abffcd19677e6abdb4aaab08c4e47980f187bf7852c468e4fbad2673da",
    ),
    ("lexical", "chat"): (
        "e4190ee9e3d2d1eb65bd0891964c22c0f358f6a0f0f159098f9074720858c622",
        "0d48b7b40f2d482f5d905eb96f13ceb676c7684a04201a3155d8dea55987c8a2",
    ),
    ("missing-rule", "systemone"): (
        "b26c3138992f1f3c423b5d4e429acef302bb4172cd1538ec29855c778ec08650",
        "97c721f8bb4ed77e2e22f091190ec1abe967392dfe10e9244939c236fcfc422b",
    ),
    ("missing-rule", "chat"): (
        "d6f3f4ea759dad718026d602aee6d99346b6b8fcd942bf5e5799ad9d6b3c02e5",
        "7e0201b5dbd858f7f8326b7186f8e70ca6a8666211984084e39c056900854fe0",
    ),
    ("noisy-sensor", "systemone"): (
        "438a55b491b68df42986cf989d1831f31e1c5bec997b5fa9331e8f90be42a85b",
        "33314b1204884b857a3e2965b85ab5c3c277a1a3a5d77b2b8bc684313f70c355",
    ),
    ("noisy-sensor", "chat"): (
        "4ded7d81dcea5fa3c3c195e9ae947661fe76216ac83dcb4c89090faf9f950c8f",
        "9a9c99c35d4261b46f6db7b1398703dd90de14e9c1c22270588bd93d8bb33398",
    ),
    ("peer-review", "systemone"): (
        "d4a90f8a7aa68dc871beb84bbde6a9bbc9d347d966022eae23b42e8726cb202b",
        "3f355c0aaf4ada8e448c8e8e047fb3143b8ae201350a446953f2871d9b7920af",
    ),
    ("peer-review", "chat"): (
        "e0aecd3b79519ddce33dd3da45d2a85eb0be08f19dfcfc5e27a48d8721fe648c",
        "59d243085ddf974df1e3cb0fa588ebfb484a719a1106eac24fee18b2a0774227",
    ),
    ("recoding", "chat"): (
        "d9d27a4d5db99a54c3e7e4a99cb31082e37b782123d77359e616ab6ae160795e",
        "a36e491d0edcd72931b8ac4c28742a285783878366ab2817ada4545839fd135d",
    ),
}


@pytest.mark.parametrize(("name", "wire"), DIGESTS)
def test_a_shipped_cohort_says_what_it_said(name: str, wire: str, tmp_path: Path) -> None:
    spec = read_spec(name)
    cohort = spec if isinstance(spec, Cohort) else cohort_of(spec)
    emit(cohort.only(wire=wire), ROOTS, SEED, tmp_path)
    found = (read_manifest(tmp_path / side)["content"] for side in ("public", "evaluator"))
    assert tuple(found) == DIGESTS[name, wire]
