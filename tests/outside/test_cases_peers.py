"""Requests with demonstrations beside other people's code: a state that is an object, and criteria.

The same client and server as in test_systemone_peers.py, which takes states that are texts.
"""

import json
from typing import Any

import httpx2
import numpy as np
import pytest
from typesafe_sdk import Noul, TypeSafeClient

from tests.memos import MEMOS, Memo
from worldgen.renderers.plans import Plan


def payload(memo: Memo, count: int) -> str:
    """One request of the memo's world, after demonstrations that differ."""
    cases = memo.cases(count)
    pool: dict[str, Any] = {
        variable.name: np.arange(count) % (variable.domain.size or 1) for variable in memo.shown
    }
    case = {variable.name: np.zeros(1, dtype=np.int64) for variable in memo.shown}
    values = cases.joined(case, pool | {"outcome": np.arange(count) % 2}, 1)
    text: str = Plan(cases.systemone("jev-latest"), cases.shown).render(values, 1).to_pylist()[0]
    return text


@pytest.mark.parametrize("memo", MEMOS[::4], ids=str)
@pytest.mark.parametrize("count", [0, 3])
def test_the_official_client_sends_our_payload(memo: Memo, count: int) -> None:
    ours = payload(memo, count)
    body = json.loads(ours)
    question = {key: value for key, value in body["questions"]["q"].items() if key != "type"}
    sent: list[bytes] = []

    def serve(call: httpx2.Request) -> httpx2.Response:
        sent.append(call.read())
        answered = {"q": {"type": "noul", "noul": 0.25}}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return httpx2.Response(200, json={"model": "jev-latest", "answers": answered, "usage": usage})

    client = TypeSafeClient(api_key="none", base_url="http://peer", transport=httpx2.MockTransport(serve))
    found = client.system_one(body["state"], {"q": Noul(**question)}, model=body["model"])
    assert sent == [ours.encode()]
    assert found.answers["q"].type == "noul"
