# Sourced by ./sinew and ./test, with $root set: configure and compile quietly, one build at a time.

jobs=${SINEW_JOBS:-$(nproc)}
# Compiler cache, where installed: keep it inside the clone, with everything else that a build writes.
export CCACHE_DIR=${CCACHE_DIR:-$root/build/.ccache}

# One process builds at a time; the others wait. Descriptor 9 holds the lock until unlock_build.
lock_build() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  flock -n 9 || { echo "waiting for another build of sinew..." >&2; flock 9; }
}
unlock_build() { exec 9>&-; }

# log_to FILE: keep what comes in; on a terminal also count the steps.
log_to() {
  if [[ -t 2 ]]; then
    tee "$1" | sed -unE 's/^(\[[0-9]+\/[0-9]+\]).*/\r\1/p' | tr -d '\n' >&2
    printf '\r\033[K' >&2
  else
    cat >"$1"
  fi
}

# build PRESET TARGETS [CMAKE OPTIONS...]: TARGETS is one word list. The log is shown only if something fails.
build() {
  local preset=$1 targets=$2
  shift 2
  local dir=$root/build/$preset log=$root/build/$preset.log
  # A clone that was moved or copied: CMake's cache holds the old place.
  if [[ -f $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    rm -rf "$dir"
  fi
  # Read before compiling starts, so that a file edited meanwhile counts as newer.
  mkdir -p "$dir"
  echo "$root" >"$dir/.stamp.new"
  if ! { (cd "$root" && cmake --preset "$preset" "$@") &&
         cmake --build "$dir" -j "$jobs" --target $targets; } </dev/null 2>&1 9>&- | log_to "$log"; then
    # The last lines, and the compiler's first complaints, which may stand far above them.
    { grep -nE -m 3 'error:|CMake Error|undefined reference' "$log"; echo ...; tail -n 40 "$log"; } >&2
    return 1
  fi
  mv "$dir/.stamp.new" "$dir/.stamp"
}
