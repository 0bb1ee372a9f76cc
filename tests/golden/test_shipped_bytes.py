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
        "81a8c8bb785d7971b9e55318bb7202ab3fa35b09019017d399cde7e6c7b99e70",
        "b54dd0040c28ccb835d252e6b7b4741d9af0dd7aeb236cfdf4c9383d5ce7c257",
    ),
    ("contracts", "chat"): (
        "0bcd19902eb02fad432714fcfd9c07e7ef1c84608a966c75e7336205a7edc703",
        "3514b0ab1ab7d2c9e21f1119bd6fdfc20dbd7c6b14636be219b4841fb34c3c7b",
    ),
    ("covert-transfer", "systemone"): (
        "b86542d17c3e1cbf200cccc85d5e88dd9cbee0a6ac7f1208120d50a611c921b9",
        "4c337615d970b7b8c4438ed12c40c9c913639e5ad93645dd19596ff43b7b0996",
    ),
    ("covert-transfer", "chat"): (
        "a7716fbef4dd3b340fd992d1d72b632512f05ec1812f7b2e376fb607d91dcfb5",
        "da407ad595fbd4b1572fa057cab202b0f843a4b12612fd81f1958e7b894f88d6",
    ),
    ("credit-risk", "systemone"): (
        "2e6a319f259afb7df41ffc3b6a6b9f459c12af99f0eccfd96908104a82a73cd2",
        "1005603481246ad961c6358056b8758c4ea50a9c92c0c40649031069cda32c87",
    ),
    ("credit-risk", "chat"): (
        "4c1651f30d908b774e4cab92b33dfdd796cc1e780563c116aaa6d31330f0cc6a",
        "16b53162a0e8f6872e205015998c8108a74ba7c8a0cfe0211be96b8168265f62",
    ),
    ("finite-population", "systemone"): (
        "9dbdba3daa6f353e9f7278b80c708b59d8633c87c2bf26a4bf4b666e74095a45",
        "a92f18dbc7602229323a6bc3040935f358e4fcddf969d85df5980031fb067da3",
    ),
    ("finite-population", "chat"): (
        "1ff6c282f90720f90a042606f5a0e2f63e3f262b363b74f7d125cbbec9c29e5a",
        "719c00df90a2bb264fc5c56bf08d679f901a88afadc539d36aad95739bda4784",
    ),
    ("headroom", "systemone"): (
        "bf31cf199cc765800d260297771075461bada35b17bd7852c106507e56ed1057",
        "ece19d974836bd607c7df6900de9149dc17f48bcf5d3bc39242dc736381aeac1",
    ),
    ("headroom", "chat"): (
        "5e4d2734878e6d2a154cf4838dcc95fd885d57aed0961106094507cb1414aa26",
        "deaf05f7f00811ba7fd6715c22d01cf717fb605aa59c1af3600c9e5257a9d21b",
    ),
    ("joint-attributes", "systemone"): (
        "9c0811c7ecc67667849c153f012d53b203e75b115f64294075a5ba6873838944",
        "35723be24729192556b9769efafaeeec660b2cca1b593ddaba4d96ea19d23c5b",
    ),
    ("joint-attributes", "chat"): (
        "db3fa371912dc8f0c28c186d822356ad4ba6e91df9348a31966c92a0807e6744",
        "8d49bc6d41868c9358b9f5c58842ea52764ce2a6c98c21418a0725643737cdac",
    ),
    ("lexical", "systemone"): (
        "056fc109beb397a095b80c056ad1731e6f0a04504f966e881ecd4bfc1440ead1",
        "cefce4ff78cc5f4d2554dd5f9d52754a93be1ac35bea9d2fc2f593a963d3728b",
    ),
    ("lexical", "chat"): (
        "195184daf5cd3a22064bf9df727bb89b0e20d7c47377546c3b55f4a181aaae15",
        "09c475c24eff412fa805439d35941a12fc62dba5f0334cd8eaef009bc2f474fb",
    ),
    ("missing-rule", "systemone"): (
        "a5ed200a6aea6c529b85ff591a12e6adc07f4010286bace0e754d597a4967f07",
        "3a3475df068ba41957119753823cdcbe2422a035fe07aa3e271c85eadbeef1f5",
    ),
    ("missing-rule", "chat"): (
        "a7d2542b11c4f41dd7de8ae2f0c6567e7eb2dd98b348152cb0e3a291fde709ae",
        "bb0dd5d2dacba9466f020f0116f3cd5a70cdf3b2749b2d6ecfa36b8a8706f450",
    ),
    ("noisy-sensor", "systemone"): (
        "f5c3303551e5fa18ed238b2822a80943b1049b0d2f4511c9af9e90549a0ec706",
        "b5567e8cb03420d712a48e2d2770c27a033429beaf4e4a09a13de9b64dc997bf",
    ),
    ("noisy-sensor", "chat"): (
        "d7d0e0b15bc78a5b36dc954d923de08c31f102cd48bf12f94bf8dd09e3a2141a",
        "94eaa0881bf5bb48afd44db9c461ef0dbf7a9ebf8d72c4814656b4b3af7d1e32",
    ),
    ("peer-review", "systemone"): (
        "9b6f058e93582c93666491b1b64022740723a9cee408a09d73ad1427ea59d185",
        "72c3d9c2f13a770c7f55bc7087b00ff0c41a1ee2b9c79271a07df662d4fb7f97",
    ),
    ("peer-review", "chat"): (
        "0a958ec5610d847da41cb5f7a096843c64a7fec2926b7f27531dd1447d2f0d8a",
        "147f5d4e5d280790d3aaff63db686f4d5877da771f74ec5d45a845c56c68833b",
    ),
    ("recoding", "chat"): (
        "5ff4ff30eb1b1e22104573c588406c6bece639f68709601b6f141c13b829bb90",
        "2879220897ccbe5e7f61ba9cd6bcc3493b561d016b4dbdbc3e09cbc99fceb04e",
    ),
}


@pytest.mark.parametrize(("name", "wire"), DIGESTS)
def test_a_shipped_cohort_says_what_it_said(name: str, wire: str, tmp_path: Path) -> None:
    spec = read_spec(name)
    cohort = spec if isinstance(spec, Cohort) else cohort_of(spec)
    emit(cohort.only(wire=wire), ROOTS, SEED, tmp_path)
    found = (read_manifest(tmp_path / side)["content"] for side in ("public", "evaluator"))
    assert tuple(found) == DIGESTS[name, wire]
