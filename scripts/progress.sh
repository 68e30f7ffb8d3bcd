# Sourced by scripts/build.sh: how far a build is, and about how long it will take from here.
#
# Steps differ in cost by a factor of hundreds, so counting them says little. Each is taken to cost what it did in the last
# build here, else what scripts/build_costs says of it (seconds on the machine that wrote it), and all are scaled by how fast
# this build has gone so far.

# plan_steps DIR TARGETS: what there is to do, a line a step: expected milliseconds, output.
plan_steps() {
  local table=$root/scripts/build_costs log=$1/.ninja_log
  [[ -f $table ]] || table=/dev/null
  [[ -f $log ]] || log=/dev/null
  # A time in the log that is far below the table's was that of a compiler cache; the next change will miss it.
  { ninja -C "$1" -n $2 2>/dev/null || true; } | awk '
    kind == "table" && /^[0-9]/ { cost[$2] = 1000 * $1 }
    kind == "log" && NF >= 4 && $2 - $1 > cost[$4] / 4 { cost[$4] = $2 - $1 }
    kind == "plan" && /^\[[1-9][0-9]*\/[0-9]+\] / {
      printf "%d %s\n", ($NF in cost) ? cost[$NF] : ($NF ~ /[.]o$/ ? 5000 : 500), $NF
    }
  ' kind=table "$table" kind=log "$log" kind=plan -
}

# seconds_left FINISHED ALL ELAPSED STEPS_LEFT JOBS: milliseconds in, seconds out. Jobs that run now count as half finished. At
# first a build is thought to be as fast as expected, and the more of it is finished, the more its own speed counts.
seconds_left() {
  local finished=$1 all=$2 elapsed=$3 steps=$4 jobs=$5 running trust
  running=$((steps > jobs ? jobs * (all - finished) / steps / 2 : (all - finished) / 2))
  running=$((running > elapsed * jobs ? elapsed * jobs : running))
  trust=$((5000 * jobs))
  echo $(((elapsed + 5000) * (all - finished - running) / (finished + running + trust) / 1000))
}

# in_words SECONDS: no more figures than can be known.
in_words() {
  local s=$1
  if ((s >= 150)); then echo "about $(((s + 30) / 60)) min left"
  elif ((s > 20)); then echo "about $(((s + 9) / 10 * 10)) s left"
  elif ((s > 5)); then echo "about $(((s + 4) / 5 * 5)) s left"
  else echo "a few seconds left"; fi
}

# follow_steps PLAN LOG: appends what a build says to LOG and tells how far it is: on a terminal in one line that is rewritten
# every second, elsewhere in a line now and then.
follow_steps() {
  local -A cost=()
  local ms name all=0 finished=0 step=0 steps=0 line rest= part end=0 told=0 start=$EPOCHSECONDS status
  while read -r ms name; do
    cost[$name]=$ms all=$((all + ms)) steps=$((steps + 1))
  done <"$1"
  [[ -t 2 ]] || told=$start
  while true; do
    if IFS= read -r -t 1 part; then
      line=$rest$part rest=
      printf '%s\n' "$line" >>"$2"
      if [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\]\  ]]; then
        step=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]} name=${line##* }
        finished=$((finished + ${cost[$name]:-0})) end=0
      fi
    else
      status=$?
      rest+=$part
      ((status > 128)) || break  # not the clock: the end
    fi
    if ((steps)); then tell_progress; fi
  done
  if [[ $rest ]]; then printf '%s\n' "$rest" >>"$2"; fi
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}

# Part of follow_steps, with its variables. `end` is when the build is expected to end, until another step is finished.
tell_progress() {
  local now=$EPOCHSECONDS every=15 left=0
  [[ -t 2 ]] && every=1
  ((now - told >= every)) || return 0
  told=$now
  if ((end <= now)); then
    if ((finished < all)); then
      left=$(seconds_left "$finished" "$all" $((1000 * (now - start))) $((steps - step)) "$jobs")
    elif ((step)); then
      left=$(((now - start) * (steps - step) / step))  # no plan, or steps that it did not foresee
    fi
    end=$((now + left))
  fi
  if [[ -t 2 ]]; then
    printf '\r[%d/%d], %s\033[K' "$step" "$steps" "$(in_words $((end - now)))" >&2
  else
    echo "building sinew: [$step/$steps], $(in_words $((end - now)))" >&2
  fi
}
