#!/usr/bin/env python3
"""The slowest tests of the last run.

Usage: slowest_tests.py BUILD [NUMBER]. ctest has left BUILD/tests.xml (--output-junit), each shard of a test program
BUILD/times/SHARD.xml: of a shard not the whole counts, but its cases.
"""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path


def entries(build):
    """(seconds on the clock, name)"""
    for entry in xml.parse(build / "tests.xml").iter("testcase"):
        shard = build / "times" / f"{entry.get('name')}.xml"
        if shard.is_file():
            for case in xml.parse(shard).iter("testcase"):
                yield float(case.get("time")), f"{case.get('classname')}.{case.get('name')}"
        else:
            yield float(entry.get("time")), entry.get("name")


def main():
    build, number = Path(sys.argv[1]), int((sys.argv[2:] or [10])[0])
    print("\nslowest tests, seconds on the clock")
    for seconds, name in sorted(entries(build), reverse=True)[:number]:
        print(f"{seconds:8.1f}  {name}")


if __name__ == "__main__":
    main()
