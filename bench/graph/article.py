"""The article's stack on the edges of `npm run bench -- graph`: networkx and a breadth-first search, both ways, two hops.
Needs networkx.

    python article.py [edges]
"""
import gc
import pickle
import random
import sys
import tempfile
import time

import networkx

edges = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
services = max(50, edges // 200)


def numbers(state):
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield state / 2**32


def memory():
    gc.collect()
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("RssAnon"))


def timed(what, work):
    wall, cpu = time.perf_counter(), time.process_time()
    made = work()
    print(f"{what}: {time.perf_counter() - wall:.2f} s, processor {time.process_time() - cpu:.2f} s")
    return made


def build():
    draw = numbers(1)
    service = lambda: f"service:s{int(services * next(draw) ** 3)}"
    graph = networkx.MultiDiGraph()
    index = made = 0
    while made < edges:
        commit = f"commit:{(index + 1) * 2654435761 % 2**32:08x}{index:032x}"
        ticket = f"ticket:T-{index}"
        target = service()
        graph.add_edge(commit, target, "modified", confidence=0.9)
        graph.add_edge(ticket, target, "affects", confidence=0.9)
        graph.add_edge(ticket, commit, "caused_by", confidence=0.9)
        if index % 3 == 0:
            graph.add_edge(service(), target, "depends_on", confidence=0.9)
        made += 4 if index % 3 == 0 else 3
        index += 1
    return graph


def around(graph, start):
    hops = {start: 0}
    frontier = [start]
    for hop in (1, 2):
        found = []
        for node in frontier:
            for other in (*graph.succ[node], *graph.pred[node]):
                if other not in hops:
                    hops[other] = hop
                    found.append(other)
        frontier = found
    return hops


def share(times, part):
    return sorted(times)[max(0, -int(-part * len(times) // 1) - 1)]


before = memory()
graph = timed(f"{edges} edges built", build)
print(f"memory: {(memory() - before) // edges} B an edge")
with tempfile.TemporaryFile() as file:
    timed("saved (pickle)", lambda: pickle.dump(graph, file))
    file.seek(0)
    timed("loaded (pickle)", lambda: pickle.load(file))
draw = numbers(7)
starts = [f"service:s{int(next(draw) * services)}" if index % 2 == 0 else f"ticket:T-{int(next(draw) * edges / 3.4)}" for index in range(400)]
wall, cpu, reached = [], [], []
for start in starts:
    if start not in graph:
        continue
    a, b = time.perf_counter(), time.process_time()
    reached.append(len(around(graph, start)))
    wall.append((time.perf_counter() - a) * 1000)
    cpu.append((time.process_time() - b) * 1000)
print(f"two hops: p50 / p95 {share(wall, .5):.2f} / {share(wall, .95):.2f} ms; processor {share(cpu, .5):.2f} / {share(cpu, .95):.2f} ms; nodes reached {share(reached, .5)} / {share(reached, .95)}")
