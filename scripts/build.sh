# Sourced by ./sinew and ./test, with $root set: configure and compile quietly, one build at a time.

source "$root/scripts/progress.sh"
jobs=${SINEW_JOBS:-$(nproc)}
# Compiler cache, where installed: keep it inside the clone, with everything else that a build writes.
export CCACHE_DIR=${CCACHE_DIR:-$root/build/.ccache}
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=1  # a copy of the tree finds what this one compiled

machine=$("$root/scripts/processor")
if [[ $machine == older ]]; then
  echo "error: processor: it is older than x86-64-v2 (no SSE4.2 or no POPCNT), the oldest that sinew is made for: use a" \
    "machine from 2009 or later" >&2
  exit 4
fi

# One process builds at a time; the others wait. Descriptor 9 holds the lock until unlock_build.
lock_build() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  flock -n 9 || { echo "waiting for another build of sinew..." >&2; flock 9; }
}
unlock_build() { exec 9>&-; }

# The last lines of a log, and the compiler's first complaints, which may stand far above them.
show_failure() {
  { grep -nE -m 3 'error:|CMake Error|undefined reference' "$1"; echo ...; tail -n 40 "$1"; } >&2
}

# build PRESET TARGETS [CMAKE OPTIONS...]: TARGETS is one word list. The log is shown only if something fails.
build() {
  local preset=$1 targets=$2
  shift 2
  local dir=$root/build/$preset from=$preset log=$root/build/$preset.log cache=$root/build/$preset/CMakeCache.txt level
  # A clone that was moved or copied: CMake's cache holds the old place.
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf "$dir"
  fi
  # Built for another machine's processor: whatever was asked for there, here it cannot run.
  if [[ $machine == x86-64-v2 && -f $cache ]] && grep -qx "SINEW_ARCH:STRING=x86-64-v3" "$cache"; then
    set -- "$@" -DSINEW_ARCH=
  fi
  if [[ $preset == release && ${CI:-} == true ]]; then from=ci; fi
  # Read before compiling starts, so that a file edited meanwhile counts as newer.
  mkdir -p "$dir"
  touch "$dir/.stamp.new"
  if ! (cd "$root" && cmake --preset "$from" "$@") </dev/null >"$log" 2>&1 9>&-; then
    show_failure "$log"
    return 1
  fi
  plan_steps "$dir" "$targets" >"$dir/.plan"
  if ! cmake --build "$dir" -j "$jobs" --target $targets </dev/null 2>&1 9>&- | follow_steps "$dir/.plan" "$log"; then
    show_failure "$log"
    return 1
  fi
  level=
  [[ -f $cache ]] && level=$(sed -n 's/^SINEW_ARCH:[A-Z]*=//p' "$cache")
  # The place and the processor, written with the time at which compiling started.
  printf '%s\n' "$root" "${level:-$machine}" >"$dir/.stamp"
  touch -r "$dir/.stamp.new" "$dir/.stamp"
  if [[ " $targets " == *" sinew_view_program "* ]]; then cp -p "$dir/.stamp" "$dir/.stamp.view"; fi
  if [[ " $targets " == *" sinew_fmu "* ]]; then cp -p "$dir/.stamp" "$dir/.stamp.fmu"; fi
  if [[ " $targets " == *" sinew_python "* ]]; then cp -p "$dir/.stamp" "$dir/.stamp.python"; fi
  rm "$dir/.stamp.new"
}
