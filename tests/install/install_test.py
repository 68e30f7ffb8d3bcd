"""Install into an empty prefix, read each public header alone, build examples/ against it with find_package, run every example."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from check_includes import MAX_PUBLIC_HEADERS, STANDARD, includes, public_headers  # noqa: E402


def run(*command, **options):
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {result.returncode}\n{result.stdout}")
    return result.stdout


def check_headers(include, build):
    """The public headers are there, compile alone, and nothing that is installed includes a header of a library."""
    public = {path.relative_to(include).as_posix() for path in (include / "sinew").glob("*.h")}
    assert public == set(public_headers(ROOT)), "the public headers differ from those of src/sinew/"
    assert len(public) <= MAX_PUBLIC_HEADERS, "too many public headers"
    for path in include.rglob("*.h"):
        for number, name, quoted in includes(path.read_text()):
            assert (include / name).is_file() if quoted else re.fullmatch(STANDARD, name), f"{path}:{number}: {name}"
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)
    for header in sorted(public):
        run(compiler, "-std=c++20", "-fsyntax-only", "-w", f"-I{include}", "-include", header, "-x", "c++", os.devnull)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.build, prefix="install_test_") as scratch:
        prefix, examples = Path(scratch) / "prefix", Path(scratch) / "examples"
        run(arguments.cmake, "--install", arguments.build, "--prefix", prefix)

        check_headers(prefix / "include", arguments.build)
        scenarios = {path.relative_to(ROOT / "scenarios") for path in (ROOT / "scenarios").rglob("*.toml")}
        installed = prefix / "share/sinew/scenarios"
        assert scenarios == {path.relative_to(installed) for path in installed.rglob("*.toml")}, "scenarios differ"
        if (arguments.build / "sinew").exists():
            assert run(prefix / "bin/sinew", "--version", cwd=scratch).strip(), "sinew --version says nothing"

        if (arguments.build / "sinew-view").exists():
            assert run(prefix / "bin/sinew-view", "--version", cwd=scratch).strip(), "no server of the web view"

        completion = prefix / "share/bash-completion/completions/sinew"
        assert completion.read_bytes() == (ROOT / "completions/sinew.bash").read_bytes(), "no completion for bash"

        page = ROOT / "viewer/dist/index.html"  # made by scripts/build_viewer
        if page.exists():
            assert (prefix / "share/sinew/viewer/index.html").read_bytes() == page.read_bytes(), "no page of the view"

        run(arguments.cmake, "-G", "Ninja", "-S", ROOT / "examples", "-B", examples, f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_BUILD_TYPE=Release")
        run(arguments.cmake, "--build", examples, "-j", "2")
        programs = sorted(path.stem for path in (ROOT / "examples").glob("*.cpp"))
        for name in programs:
            output = run(examples / name, cwd=scratch, env={**os.environ, "SINEW_SCENARIOS": str(installed)})
            assert output.strip(), f"example {name} prints nothing"
        print(f"built and ran against the installed library: {', '.join(programs) or 'no examples yet'}")


if __name__ == "__main__":
    main()
