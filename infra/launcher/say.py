"""What a person reads, and the errors that end a command with one clear line."""

import errno
import sys
import threading

DONE, FAILED, WRONG_USE, BLOCKED, NOT_FOUND, UNREACHABLE = 0, 1, 2, 3, 4, 5

_lock = threading.Lock()


class Trouble(Exception):
    """One line for a person: what is wrong and what to do. `details` are lines of somebody else."""

    def __init__(self, line, code=FAILED, details=(), final=False):
        super().__init__(line)
        self.line = line
        self.code = code
        self.details = list(details)
        self.final = final  # trying it another way would end the same


def say(line=""):
    """Progress goes to stderr, so that what `env` and `status` print can be piped."""
    with _lock:
        try:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
        except OSError:
            pass  # nobody reads any more (`up 2>&1 | head`); that is no reason to stop half way


def out(line=""):
    """What a command answers."""
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except OSError:
        pass


def of_os_error(error, what):
    """The line for an error of the operating system met while doing `what`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Trouble("the disk is full (%s): free some space and run it again" % what)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return Trouble(
            "no permission to write (%s): choose another place with --data DIR or ONEJOB_CACHE" % what
        )
    return Trouble("%s: %s" % (what, error.strerror or error))
