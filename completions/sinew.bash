# Completion for bash, of `sinew` and of `./sinew` in a clone. An installed sinew brings it along (package bash-completion);
# in a clone: source completions/sinew.bash
# Commands, options and what they take are read from `sinew --help`, names from `sinew list`, keys from `sinew show`: there
# is no second list to keep in step.

# The program that answers. ./sinew of a clone would build first, which nobody wants from a tab key: its binary is taken.
_sinew_program() {
  local name=${1/#\~/$HOME}
  if [[ $name == */* ]]; then
    [[ -x ${name%/*}/build/release/sinew ]] && name=${name%/*}/build/release/sinew
    [[ -x $name && $(head -c 2 -- "$name" 2>/dev/null | tr -d '\0') != '#!' ]] || return 1
  fi
  printf '%s' "$name"
}

# The lines of a command's help above the examples.
_sinew_help() { "$@" --help 2>/dev/null </dev/null | sed '/^Examples:/,$d'; }

_sinew_commands() { "$1" --help 2>/dev/null </dev/null | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p'; }

# "-o,--out FILE.h5   text" -> "-o FILE.h5" and "--out FILE.h5"; without a value: "--json "
_sinew_options() {
  _sinew_help "$@" | sed -n 's/^  \(-[^ ]*\) \{0,1\}\([^ ]*\).*/\1 \2/p' | while read -r names value; do
    for name in ${names//,/ }; do printf '%s %s\n' "$name" "$value"; done
  done
}

# Dotted keys of a scenario with what follows the equals sign: "table.key = value # comment"
_sinew_keys() {
  local table= line
  "$1" show "$2" 2>/dev/null </dev/null | while IFS= read -r line; do
    case $line in
      \[*) table=${line#\[} table=${table%\]}. ;;
      [A-Za-z_]*=*) printf '%s\n' "$table$line" ;;
    esac
  done
}

# Words for --set KEY=VALUE.
_sinew_set() {
  local program=$1 scenario=$2 current=$3 key line value
  [[ $scenario ]] || return
  if [[ $current != *=* ]]; then
    # dotted keys, and last parts that are unique
    _sinew_keys "$program" "$scenario" | sed 's/ = .*//' | awk -F. '
      { print $0 "="; count[$NF]++ }
      END { for (name in count) if (count[name] == 1) print name "=" }' | sort -u
    return
  fi
  key=${current%%=*}
  if [[ $key == output.result.* ]]; then
    "$program" show "$scenario" --signals 2>/dev/null </dev/null | sed "s/ .*//; s/^/$key=/"
    return
  fi
  while IFS= read -r line; do
    value=${line#*= }
    case $line in
      *'; one of '*) value=${line##*; one of } value=${value%%;*} value=${value//|/ } ;;
      *'= true '* | *'= false '*) value='true false' ;;
      *) value=${value%% #*} value=${value%"${value##*[! ]}"} value=${value// /} ;;
    esac
    for value in $value; do printf '%s=%s\n' "$key" "$value"; done
  done < <(_sinew_keys "$program" "$scenario" | awk -v key="$key" -F' = ' '
    { n = length($1) - length(key) } $1 == key || n > 0 && substr($1, n) == "." key')
}

_sinew_scenarios() {
  local name
  "$1" list 2>/dev/null </dev/null | sed -n 's/^\([^ ][^ ]*\) .*/\1/p' | while read -r name; do
    printf '%s\n' "$name" "${name##*/}"
  done
}

# Files with one of these endings, and folders.
_sinew_files() {
  local current=$1 ending
  shift
  for ending in "$@"; do compgen -f -X "!*$ending" -- "$current"; done
  compgen -d -S / -- "$current"
}

# Names of the signals in a recording; a list with commas goes on at its last entry.
_sinew_signals() {
  local program=$1 recording=$2 before= name
  [[ $3 == *,* ]] && before=${3%,*},
  "$program" export "$recording" --list 2>/dev/null </dev/null |
    while read -r name _; do printf '%s\n' "$before$name"; done
}

_sinew() {
  COMPREPLY=()
  local line=${COMP_LINE:0:COMP_POINT} words program current option= kind= command= argument= i
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  program=$(_sinew_program "${words[0]}") || return
  current=${words[-1]}
  if ((${#words[@]} <= 2)); then
    if [[ $current == -* ]]; then
      COMPREPLY=($(compgen -W "$(_sinew_options "$program" | cut -d ' ' -f 1)" -- "$current"))
    else
      COMPREPLY=($(compgen -W "$(_sinew_commands "$program")" -- "$current"))
    fi
    return
  fi
  command=${words[1]}
  local -A takes=()
  local name value
  while read -r name value; do takes[$name]=$value; done < <(_sinew_options "$program" "$command")
  # the first word that is neither an option nor its value: a scenario, a file, a recording
  for ((i = 2; i < ${#words[@]} - 1; i++)); do
    if [[ ${words[i]} == -* ]]; then
      [[ ${takes[${words[i]}]-} ]] && ((i++))
    elif [[ ! $argument ]]; then
      argument=${words[i]}
    fi
  done
  if [[ $current == --*=* ]]; then  # --option=value
    option=${current%%=*} current=${current#*=}
  elif [[ ${takes[${words[-2]}]-} ]]; then
    option=${words[-2]}
  fi
  [[ $option ]] && kind=${takes[$option]-}
  if [[ ! $option && $current == -* ]]; then
    COMPREPLY=($(compgen -W "${!takes[*]}" -- "$current"))
    return
  fi
  if [[ ! $option && ! $argument ]]; then
    kind=$(_sinew_help "$program" "$command" | sed -n '/^Positionals:/,/^$/s/^  \([A-Z][A-Z]*[.a-z]*\).*/\1/p' | head -n 1)
  fi
  [[ $option && $kind == FILE ]] && kind=ANY_FILE
  _sinew_words "$program" "$kind" "$argument" "$current"
}

# What may stand for KIND, the word that the help uses.
_sinew_words() {
  local program=$1 kind=$2 argument=$3 current=$4 found=
  case $kind in
    KEY=VALUE) found=$(_sinew_set "$program" "$argument" "$current") ;;
    SCENARIO*) found=$(_sinew_scenarios "$program"; _sinew_files "$current" .toml .h5 .urdf .xml) ;;
    RECORDING*) found=$(_sinew_files "$current" .h5) ;;
    FILE) found=$(_sinew_scenarios "$program"; _sinew_files "$current" .toml .urdf .xml) ;;
    MODEL) found=$(_sinew_files "$current" .urdf .xml .mjcf) ;;
    ANY_FILE) found=$(compgen -f -- "$current") ;;
    FILE.*) found=$(_sinew_files "$current" ".${kind#FILE.}") ;;
    A,B* | SIGNAL) found=$(_sinew_signals "$program" "$argument" "$current") ;;
    DIR | FOLDER) found=$(compgen -d -S / -- "$current") ;;
    *) return ;;
  esac
  local word
  while IFS= read -r word; do  # not compgen -W, which would run what stands in $(...) of a file's name
    [[ $word && $word == "$current"* ]] && COMPREPLY+=("$word")
  done <<<"$found"
  # bash replaces only what follows the last = or :
  if [[ $COMP_WORDBREAKS == *=* && $current == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${current%=*}="}"); fi
  if [[ $COMP_WORDBREAKS == *:* && $current == *:* ]]; then COMPREPLY=("${COMPREPLY[@]#"${current%:*}:"}"); fi
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -F _sinew sinew
