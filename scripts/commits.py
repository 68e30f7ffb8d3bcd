"""Other commits of the repository, built beside this one: for scripts/measure_build and bench/compare."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JOBS = os.environ.get("SINEW_JOBS", str(os.cpu_count() or 1))
# For the machine, warnings only shown: what users build. Older commits have to be told (today there is no SINEW_NATIVE).
OPTIONS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSINEW_WERROR=OFF", "-DSINEW_NATIVE=ON", "--no-warn-unused-cli"]


class Failed(Exception):
    """A command that did not work; the text says which, and ends with what it said."""


def run(command, **options):
    result = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            stdin=subprocess.DEVNULL, **options)
    if result.returncode:
        raise Failed(f"{' '.join(map(str, command))}: exit code {result.returncode}\n{result.stdout[-4000:]}")
    return result.stdout


def find_commit(name, root=ROOT):
    """Its full hash."""
    try:
        return run(["git", "-C", root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"]).strip()
    except Failed:
        raise Failed(f"{name}: no such commit") from None


def title(commit, root=ROOT):
    return run(["git", "-C", root, "log", "-1", "--format=%h %s", commit]).strip()


def check_out(commit, folder, root=ROOT):
    """The tree of that commit in `folder`, which stays if it is one already."""
    if not (folder / ".git").exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        run(["git", "-C", root, "worktree", "prune"])
        run(["git", "-C", root, "worktree", "add", "--detach", folder, commit])
    return folder


def remove(folder, root=ROOT):
    if folder.exists():
        run(["git", "-C", root, "worktree", "remove", "--force", folder])


def set_up(source, purpose):
    """Installs what that tree needs, which may be more than this one does."""
    code = subprocess.run([source / "scripts/setup", purpose]).returncode
    if code:
        raise Failed(f"{source}/scripts/setup {purpose}: exit code {code}")


def configure(source, build, options=()):
    run(["cmake", "-S", source, "-B", build, *OPTIONS, *options])


def compile_targets(build, targets, **options):
    run(["cmake", "--build", build, "-j", JOBS, "--target", *targets], **options)


def say(text):
    print(text, file=sys.stderr, flush=True)


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    return folder
