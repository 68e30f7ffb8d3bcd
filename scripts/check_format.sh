#!/usr/bin/env bash
# Every C++ source is as .clang-format wants it. `scripts/check_format.sh --fix` rewrites those that are not.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

mapfile -t -d '' sources < <(
  find src tests bench examples -type f \( -name '*.h' -o -name '*.cpp' \) -print0 2>/dev/null | sort -z)
((${#sources[@]})) || exit 0
if [[ ${1:-} == --fix ]]; then
  clang-format -i -- "${sources[@]}"
else
  clang-format --dry-run --Werror --ferror-limit=3 -- "${sources[@]}" ||
    { echo "error: format: sources above differ from .clang-format: run scripts/check_format.sh --fix" >&2; exit 1; }
fi
