"""Where many jobs are done: in this process, on every core, or on a cluster.

What must never be here: what a job does. A job is a function of what it is given and of nothing
else: it can be done anywhere, in any order, and what comes of it is the same.
Laws: results come in the order of the tasks; of endlessly many, few are in memory at a time.
Source: docs/decisions/0015-scale.md.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from pbem import __version__
from pbem.errors import BadInput

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Task = TypeVar("Task")
Done = TypeVar("Done")
AHEAD = 3  #: tasks for each worker that are handed out before they can begin
CONNECT = "10s"


def on_every_core(job: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
    """In processes that begin as pbem does, on any system: nothing is inherited."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    workers = os.cpu_count() or 1
    with suppress(AttributeError):
        workers = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from _in_order(pool, job, ([task] for task in tasks), workers * AHEAD)


def on_cluster(
    address: str, job: Callable[[Task], Done], tasks: Iterable[Task], size: Callable[[Task], int]
) -> Iterator[Done]:
    """By Dask's distributed, which is the extra ``pbem[cluster]``; BadInput ``cluster/…``.

    ``size``: of a task, in bytes. A scheduler counts in milliseconds, so tasks go together until
    they are worth some hundred.
    """
    try:
        from distributed import Client
    except ImportError:
        why = "--cluster needs Dask's distributed, which is not installed"
        raise BadInput("cluster/missing", why, "pip install 'pbem[cluster]'") from None
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        why = f"no cluster answers at {address!r}"
        way = "name the address that `dask scheduler` prints, such as tcp://host:8786"
        raise BadInput("cluster/unreachable", why, way) from error
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            why = f"the cluster at {address!r} has no workers"
            raise BadInput("cluster/no-workers", why, "start some: `dask worker` with the address")
        theirs = {*client.run(_version).values()}
        if theirs != {__version__}:
            found = ", ".join(sorted(theirs - {__version__}))
            why = f"this is pbem {__version__}, and on the cluster is pbem {found}"
            raise BadInput("cluster/version", why, "install the same pbem everywhere")
        pool = client.get_executor()
        yield from _in_order(pool, job, _together(tasks, size), workers * AHEAD)


def _version() -> str:
    return __version__


WORTH = 1 << 20  #: bytes of archives that take an audit some hundred milliseconds, and more


def _together(tasks: Iterable[Task], size: Callable[[Task], int]) -> Iterator[list[Task]]:
    chunk, held = list[Task](), 0
    for task in tasks:
        chunk.append(task)
        held += size(task)
        if held >= WORTH:
            yield chunk
            chunk, held = [], 0
    if chunk:
        yield chunk


def _in_order(
    pool: "Executor", job: Callable[[Task], Done], chunks: Iterable[list[Task]], ahead: int
) -> Iterator[Done]:
    waiting: deque[Future[list[Done]]] = deque()
    for chunk in chunks:
        waiting.append(pool.submit(partial(_each, job), chunk))
        if len(waiting) > ahead:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


def _each(job: Callable[[Task], Done], chunk: list[Task]) -> list[Done]:
    return [*map(job, chunk)]
