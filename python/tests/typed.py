"""Calls that mypy checks, as an editor does. Nobody runs them."""

from typing import assert_type

import pandas
import polars

import lookalike
from lookalike import service


def lists(texts: list[str], nullable: list[str | None]) -> None:
    assert_type(lookalike.dedup(texts).kept(), list[str])
    assert_type(lookalike.dedup(tuple(texts), threshold=0.7, threads=2).kept(), tuple[str, ...])
    lookalike.pairs(nullable, method="exact", progress=lambda report: print(report.stage, report.done))
    lookalike.similar("text", texts, k=3, shingle=2)
    assert_type(lookalike.compare("a", "b", measure="cosine").cosine, float)


def frames(frame: pandas.DataFrame, series: "pandas.Series[str]", table: polars.DataFrame, column: polars.Series) -> None:
    assert_type(lookalike.dedup(frame, text="body", keep="max:score").kept(), pandas.DataFrame)
    assert_type(lookalike.dedup(table).kept(), polars.DataFrame)
    lookalike.pairs(frame)
    lookalike.pairs(series)
    lookalike.sketch(table, num_perm=64).to_polars()
    lookalike.frequencies(column, weights="tf-idf", method="simhash")


def objects(texts: list[str]) -> None:
    plan = lookalike.Plan(threshold=0.8, stop_words=["the"], bits=64, method="simhash")
    assert_type(plan.options.get("threshold"), float | None)
    seen = lookalike.Seen(threshold=0.8)
    match = seen.add(texts[0], id=5)
    if match is not None:
        assert_type(match.similarity, float)
    with lookalike.Index.create("folder") as index:
        assert_type(index.add(lookalike.Files("a.jsonl", "b/")).documents, int)
    lookalike.dedup(texts, against=index, **lookalike.tune(texts).options)
    lookalike.dedup(texts, treshold=0.5)  # type: ignore[call-arg]
    lookalike.dedup(texts, method="best")  # type: ignore[arg-type]


def clients(client: lookalike.Client, pages: list[dict[str, str]]) -> None:
    assert_type(client.add("a", "text", ttl=60, on_duplicate="touch").stored, bool)
    assert_type(client.get("a"), service.DocumentAnswer | None)
    for answer in client.bulk("add", pages):
        assert_type(answer, service.AddAnswer | lookalike.ServiceError)
    client.compare("a", {"id": "b"})
    client.put("a", "text", on_duplicate="touch")  # type: ignore[call-arg]


async def coroutines(client: lookalike.AsyncClient) -> None:
    assert_type((await client.check("text")).match, service.DocumentMatch | None)
    async for answer in client.bulk("remove", [{"id": "a"}]):
        assert_type(answer, service.RemoveAnswer | lookalike.ServiceError)
