"""The systemone wire beside other people's code: the official client, and a reference server.

What the client sends for a state and a question is our payload, byte for byte; what the server answers to our
payload is what our strict reader takes.
"""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import httpx2
import numpy as np
import pytest
from typesafe_sdk import Choice, Noul, Score, TypeSafeClient

from worldgen.cohort.roots import draw_roots
from worldgen.cohort.variants import VARIANTS, refusal
from worldgen.emission.batches import Batcher
from worldgen.scoring.reports.reader import Valid, read_response
from worldgen.spec import cohort_of, read_world

Row = dict[str, Any]


@pytest.fixture(scope="module")
def rows() -> list[tuple[Row, Row]]:
    """Requests and targets of a world with ordered categories, in every variant of the wire."""
    world = replace(read_world("noisy-sensor"), ordered=True)
    names = [each.name for each in VARIANTS if not refusal(each, "systemone", world, "joined-tables")]
    cohort = cohort_of(world, names)
    batcher = Batcher(cohort, 0, 7, "peers")
    tables = batcher.tables(draw_roots(cohort.strata[0], 7, np.arange(4)))
    pairs = zip(tables["requests"].to_pylist(), tables["targets"].to_pylist(), strict=True)
    return [(request, target) for request, target in pairs if request["eligible"]]


def answer(request: Row, target: Row) -> Row:
    """A response body that reports q, as a server would write it."""
    numbers = [float(Fraction(text)) for text in target["q"]]
    given = dict(zip(request["answer_ids"], numbers, strict=True))
    said: Row = {
        "type": "choice",
        "confidence": 0.5,
        "choice": request["answer_ids"][0],
        "probabilities": given,
    }
    if request["form"] == "event":
        said = {"type": "noul", "noul": given["true"]}
    if request["form"] == "score":
        legend = {place: f"level {place}" for place in given}
        said = {"type": "score", "score": 1.0, "confidence": 0.5, "legend": legend, "probabilities": given}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return {"model": "jev-latest", "answers": {"q": said}, "usage": usage}


def test_the_official_client_sends_our_payload_and_reads_the_answer(rows: list[tuple[Row, Row]]) -> None:
    kinds = {"noul": Noul, "choice": Choice, "score": Score}
    for request, target in rows:
        sent: list[bytes] = []

        def serve(
            call: httpx2.Request, kept: list[bytes] = sent, row: Row = request, gold: Row = target
        ) -> Any:
            kept.append(call.read())
            return httpx2.Response(200, json=answer(row, gold))

        body = json.loads(request["payload"])
        question = dict(body["questions"]["q"])
        asked = kinds[question.pop("type")](**question)
        client = TypeSafeClient(api_key="none", base_url="http://peer", transport=httpx2.MockTransport(serve))
        found = client.system_one(body["state"], {"q": asked}, model=body["model"])
        assert sent == [request["payload"].encode()]
        assert found.answers["q"].type == body["questions"]["q"]["type"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A reference server on the loopback address."""
    start = "from jevcompat.cli import main; main()"
    command = [sys.executable, "-u", "-c", start, "mock", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        try:
            yield line.split()[-1]
        finally:
            running.terminate()


def test_a_reference_server_takes_every_payload_and_its_answers_are_valid(
    rows: list[tuple[Row, Row]], server: str
) -> None:
    for request, _ in rows:
        headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
        call = urllib.request.Request(server, request["payload"].encode(), headers)
        with urllib.request.urlopen(call, timeout=10) as response:
            text = response.read().decode()
        read = read_response(text, request["form"], "systemone", request["answer_ids"])
        assert isinstance(read, Valid), (request["variant"], text)
