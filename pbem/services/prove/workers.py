"""Runs many jobs on every core, or on a cluster.

Not allowed here: what a job does. A job depends only on its arguments, so it can run anywhere
and in any order.
Laws: results come in the order of the tasks. Only a few tasks are in memory at a time.
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
TASKS_AHEAD = 3  #: tasks submitted for each worker before it can begin them
CONNECT = "10s"  #: how long to wait for a cluster


def on_every_core(job: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
    """Run a job for each task in new processes, which inherit nothing from this one."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    workers = os.cpu_count() or 1
    with suppress(AttributeError):  # only some systems can say which cores this process may use
        workers = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from _in_order(pool, job, ([task] for task in tasks), workers * TASKS_AHEAD)


def on_cluster(
    address: str, job: Callable[[Task], Done], tasks: Iterable[Task], size: Callable[[Task], int]
) -> Iterator[Done]:
    """Run a job for each task with Dask's distributed (the extra ``pbem[cluster]``).

    ``size`` returns the bytes of a task. A scheduler needs milliseconds for each job, so tasks are sent in
    larger chunks. Raises BadInput ``cluster/…`` if no cluster can be used.
    """
    try:
        from distributed import Client
    except ImportError:
        message = "--cluster needs Dask's distributed, which is not installed"
        raise BadInput("cluster/missing", message, "pip install 'pbem[cluster]'") from None
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        message = f"no cluster answers at {address!r}"
        hint = "name the address that `dask scheduler` prints, such as tcp://host:8786"
        raise BadInput("cluster/unreachable", message, hint) from error
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            message = f"the cluster at {address!r} has no workers"
            raise BadInput("cluster/no-workers", message, "start some: `dask worker` with the address")
        cluster_versions = {*client.run(_version).values()}
        if cluster_versions != {__version__}:
            other_versions = ", ".join(sorted(cluster_versions - {__version__}))
            message = f"this is pbem {__version__}, and on the cluster is pbem {other_versions}"
            raise BadInput("cluster/version", message, "install the same pbem everywhere")
        pool = client.get_executor()
        yield from _in_order(pool, job, _make_chunks(tasks, size), workers * TASKS_AHEAD)


def _version() -> str:
    return __version__


CHUNK_BYTES = 1 << 20  #: archives of this size take some hundred milliseconds to audit


def _make_chunks(tasks: Iterable[Task], size: Callable[[Task], int]) -> Iterator[list[Task]]:
    """Group the tasks in chunks of ``CHUNK_BYTES`` or a little more."""
    chunk = list[Task]()
    chunk_size = 0
    for task in tasks:
        chunk.append(task)
        chunk_size += size(task)
        if chunk_size >= CHUNK_BYTES:
            yield chunk
            chunk = []
            chunk_size = 0
    if chunk:
        yield chunk


def _in_order(
    pool: "Executor", job: Callable[[Task], Done], chunks: Iterable[list[Task]], ahead: int
) -> Iterator[Done]:
    """Yield the results in the order of the tasks, while about ``ahead`` chunks wait or run."""
    futures: deque[Future[list[Done]]] = deque()
    for chunk in chunks:
        futures.append(pool.submit(partial(_run_chunk, job), chunk))
        if len(futures) > ahead:
            yield from futures.popleft().result()
    while futures:
        yield from futures.popleft().result()


def _run_chunk(job: Callable[[Task], Done], chunk: list[Task]) -> list[Done]:
    return [*map(job, chunk)]
