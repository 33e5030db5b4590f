"""Starts processes for the bench, one at a time, and tells what each took.

A process of its own: the kernel counts the memory of whoever starts a program as that program's,
and this one is small. One JSON object a line in, one a line out.
"""

import json
import os
import sys
import time


def launch(order):
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    opened = [
        (os.POSIX_SPAWN_OPEN, 0, order["input"], os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, order["output"], flags, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, order["errors"], flags, 0o600),
    ]
    words = order["words"]
    started = time.perf_counter()
    process = os.posix_spawn(words[0], words, order["environment"], file_actions=opened)
    _, status, used = os.wait4(process, 0)
    return {
        "seconds": time.perf_counter() - started,
        "processor": used.ru_utime + used.ru_stime,
        "kilobytes": used.ru_maxrss,
        "status": os.waitstatus_to_exitcode(status),
    }


for line in sys.stdin:
    print(json.dumps(launch(json.loads(line))), flush=True)
