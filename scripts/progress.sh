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
  # By another name: asked what it would do, ninja gets no further than to making build.ninja itself anew.
  ln -sf build.ninja "$1/.plan.ninja"
  # A time in the log that is far below the table's was that of a compiler cache; the next change will miss it.
  { ninja -C "$1" -f .plan.ninja -n $2 2>/dev/null || true; } | awk '
    kind == "table" && /^[0-9]/ { cost[$2] = 1000 * $1 }
    kind == "log" && NF >= 4 && $2 - $1 > cost[$4] / 4 { cost[$4] = $2 - $1 }
    kind == "plan" && /^\[[1-9][0-9]*\/[0-9]+\] / {
      printf "%d %s\n", ($NF in cost) ? cost[$NF] : ($NF ~ /[.]o$/ ? 5000 : 500), $NF
    }
  ' kind=table "$table" kind=log "$log" kind=plan -
  rm "$1/.plan.ninja"
}

# seconds_left ALL FINISHED TRACKED SPENT JOBS [COST RAN]...: milliseconds in, seconds out. ALL and FINISHED are costs of steps, SPENT
# is what finished ones of cost TRACKED took, and a pair stands for each step that is running. At first a build is thought to be as
# fast as expected; the more of it is done, the more its own speed counts.
seconds_left() {
  local all=$1 finished=$2 tracked=$3 spent=$4 jobs=$5 trust=10000 slow=1000 try i work took part longest
  shift 5
  for try in 1 2 3 4 5; do  # how far running steps are follows from how slow the build is, and the other way round
    work=0 took=0 longest=0
    for ((i = 1; i < $#; i += 2)); do
      part=$((${@:i+1:1} * 1000 / slow))
      part=$((part > ${@:i:1} * 9 / 10 ? ${@:i:1} * 9 / 10 : part))
      work=$((work + part)) took=$((took + ${@:i+1:1}))
      longest=$((${@:i:1} - part > longest ? ${@:i:1} - part : longest))
    done
    slow=$(((spent + took + trust) * 1000 / (tracked + work + trust)))
  done
  work=$(((all - finished - work) / jobs))
  echo $(((work > longest ? work : longest) * slow / 1000000))
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
  local -A cost=() begun=()
  local ms name order=() all=0 finished=0 tracked=0 spent=0 step=0 steps=0 line rest= part told=0 start=$EPOCHSECONDS status
  while read -r ms name; do
    cost[$name]=$ms order+=("$name") all=$((all + ms)) steps=$((steps + 1))
  done <"$1"
  [[ -t 2 ]] || told=$start
  start_steps
  while true; do
    if IFS= read -r -t 1 part; then
      line=$rest$part rest=
      printf '%s\n' "$line" >>"$2"
      if [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\]\  ]]; then
        step=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]}
        finish_step "${line##* }"
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

# Parts of follow_steps, with its variables. `order` holds what is not finished; ninja does not say what it starts, but it starts
# steps in the order of the plan, so that the first of them are those that run.
start_steps() {
  local name
  for name in "${order[@]:0:jobs}"; do begun[$name]=${begun[$name]-$EPOCHSECONDS}; done
}

finish_step() {
  local i
  [[ ${cost[$1]-} ]] || return 0
  finished=$((finished + ${cost[$1]}))
  if [[ ${begun[$1]-} ]]; then
    tracked=$((tracked + ${cost[$1]})) spent=$((spent + 1000 * (EPOCHSECONDS - ${begun[$1]})))
  fi
  for i in "${!order[@]}"; do
    if [[ ${order[i]} == "$1" ]]; then
      order=("${order[@]:0:i}" "${order[@]:i+1}")
      break
    fi
  done
  start_steps
}

tell_progress() {
  local now=$EPOCHSECONDS every=15 left=0 name running=()
  [[ -t 2 ]] && every=1
  ((now - told >= every)) || return 0
  told=$now
  if ((${#order[@]})); then
    for name in "${order[@]:0:jobs}"; do running+=("${cost[$name]}" $((1000 * (now - ${begun[$name]})))); done
    left=$(seconds_left "$all" "$finished" "$tracked" "$spent" "$jobs" "${running[@]}")
  elif ((step)); then
    left=$(((now - start) * (steps - step) / step))  # no plan, or steps that it did not foresee
  fi
  if [[ -t 2 ]]; then
    printf '\r[%d/%d], %s\033[K' "$step" "$steps" "$(in_words "$left")" >&2
  else
    echo "building sinew: [$step/$steps], $(in_words "$left")" >&2
  fi
}
