# Sourced by ./test and .ci/run: stages one after the other, each with its time on the clock and of the processor, and what
# it should need of the latter. To need more is said, and is no failure: machines differ.

stages=() failed=0
ticks=$(getconf CLK_TCK)

# Sets `processor` to the seconds that this shell and all its finished children have used.
read_processor() {
  local line
  line=$(<"/proc/$$/stat")
  set -- ${line##*) }  # from the third field on: utime, stime, cutime, cstime are the 14th to the 17th
  processor=$(((${12} + ${13} + ${14} + ${15}) / ticks))
}

# add_stage NAME CLOCK PROCESSOR BUDGET WORD
add_stage() {
  local over=
  if (($3 > $4)); then over=", over its budget"; fi
  stages+=("$(printf '%-34s %6d s %6d s of %5d  %s' "$1" "$2" "$3" "$4" "$5$over")")
}

# stage NAME BUDGET COMMAND...: run, time, remember how it went.
stage() {
  local name=$1 budget=$2 clock=$SECONDS word=ok processor before
  shift 2
  read_processor
  before=$processor
  echo "== $name"
  "$@" || { word=FAILED; failed=1; }
  read_processor
  add_stage "$name" $((SECONDS - clock)) $((processor - before)) "$budget" "$word"
  [[ $word == ok ]]
}

# finish BUDGET: the table, and the end.
finish() {
  local word=ok processor
  ((failed)) && word=FAILED
  read_processor
  add_stage "all" "$SECONDS" "$processor" "$1" "$word"
  printf '\n%-34s %8s %8s %s\n' "stage" "clock" "processor" "budget"
  printf '%s\n' "${stages[@]}"
  if ((failed)); then echo "FAILED after $SECONDS s"; else echo "all passed in $SECONDS s"; fi
  exit $failed
}
