"""The article's stack on the corpus of `npm run bench -- search`: rank_bm25, Chroma in process, RRF; no embedder, no
cross-encoder. Needs rank_bm25 and chromadb.

    python article.py FOLDER/bench.db [questions]
"""
import random
import sqlite3
import struct
import sys
import tempfile
import time

import chromadb
from rank_bm25 import BM25Okapi

file, asked = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 30
rows = sqlite3.connect(f"file:{file}?mode=ro", uri=True).execute(
    "SELECT c.id, c.text, v.vector FROM chunks c JOIN vectors v ON v.passage = c.passage ORDER BY c.seq"
).fetchall()
ids = [row[0] for row in rows]
vectors = [[scale * code for code in struct.unpack(f"<{len(blob) - 4}b", blob[4:])] for _, _, blob in rows for scale in struct.unpack_from("<f", blob)]


def memory():
    return next(int(line.split()[1]) // 1000 for line in open("/proc/self/status") if line.startswith("RssAnon"))


def timed(what, work):
    wall, cpu, before = time.perf_counter(), time.process_time(), memory()
    made = work()
    print(f"{what}: {time.perf_counter() - wall:.1f} s, processor {time.process_time() - cpu:.1f} s, RssAnon +{memory() - before} MB", flush=True)
    return made


bm25 = timed(f"rank_bm25, {len(ids)} chunks", lambda: BM25Okapi([row[1].split() for row in rows]))
folder = tempfile.TemporaryDirectory()
collection = chromadb.PersistentClient(folder.name).create_collection("bench", metadata={"hnsw:space": "cosine"})


def fill():
    for at in range(0, len(ids), 200):
        collection.upsert(ids=ids[at : at + 200], embeddings=vectors[at : at + 200], documents=[row[1] for row in rows[at : at + 200]])


timed("Chroma, upserts of 200", fill)
random.seed(5)
questions = [" ".join(random.sample(rows[random.randrange(len(rows))][1].split(), 5)) for _ in range(asked)]


def by_words(n):
    scores = bm25.get_scores(questions[n].split())
    return [ids[i] for i in scores.argsort()[::-1][:50]]


def by_vectors(n):
    return collection.query(query_embeddings=[vectors[n * 7]], n_results=50)["ids"][0]


def fused(n):
    scores = {}
    for found in (by_words(n), by_vectors(n)):
        for rank, one in enumerate(found):
            scores[one] = scores.get(one, 0) + 1 / (60 + rank + 1)
    return sorted(scores, key=scores.get, reverse=True)[:20]


for name, run in (("rank_bm25", by_words), ("Chroma", by_vectors), ("fused", fused)):
    times, cpu = [], time.process_time()
    for n in range(asked):
        started = time.perf_counter()
        run(n)
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    print(f"{name}: p50 {at(0.5):.1f} p95 {at(0.95):.1f} ms; processor {(time.process_time() - cpu) * 1000 / asked:.1f} ms a call", flush=True)
