#!/bin/bash
# In a clean root of Debian, as root: installs /sinew.deb, uses it, removes it. Arguments: the hash of `sinew run snake/sidewinding --until 1`, and
# the level of x86-64 whose library the loader must take here (empty: none but the ordinary one). The first thing that is wrong ends it; else /verdict is written.
set -euo pipefail
hash=$1 level=$2
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
cd /tmp
wrong() {
  echo "wrong: $*" >&2
  exit 1
}
# same WHAT WANTED GOT
same() { [[ $2 == "$3" ]] || wrong "$1: wanted '$2', got '$3'"; }
# All that is there but what the system itself writes: logs, caches, and dpkg's own lists.
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run -o -path /var \) -prune -o -print | sort; }
hash_of() { sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p'; }
words=(run snake/sidewinding --until 1 --no-record --json --quiet)

# What it says it needs, and from what it recommends Python; man for the page.
apt-get -q -y --no-install-recommends satisfy "$(dpkg-deb -f /sinew.deb Depends)" python3-numpy man-db >/dev/null
files >before
dpkg -i /sinew.deb >/dev/null
same "dpkg --verify" "" "$(dpkg --verify sinew)"

# Every library is found, of programs, libraries and the module.
libraries=$(dpkg -L sinew | grep -E '^/usr/bin/|\.so(\.|$)')
[[ $libraries == *bin/sinew* ]] || wrong "there is no program"
while read -r binary; do
  if [[ $(ldd "$binary" 2>&1) == *"not found"* ]]; then wrong "ldd $binary: $(ldd "$binary")"; fi
done <<<"$libraries"

same "sinew run" "$hash" "$(sinew "${words[@]}" | hash_of)"
sinew run sidewinding --quiet >/dev/null || wrong "sinew run sidewinding fails"
# The library for this processor, by the program and by the module.
triplet=$(dirname "$(dpkg -L sinew | grep -m 1 '/libsinew\.so$')")
folder=$triplet${level:+/glibc-hwcaps/$level}
for library in libsinew.so.0.1 libsinew_core.so.0.1; do
  for program in "sinew --version" "python3 -c 'import sinew'"; do
    LD_DEBUG=libs bash -c "exec $program" 2>trace >/dev/null || wrong "$program fails"
    taken=$(sed -n "s|.*calling init: \(.*/$library\)\$|\1|p" trace)
    same "$program: $library" "$folder/$library" "$(realpath "$(dirname "$taken")")/$library"
  done
done
# The ordinary one, which a processor without this level gets, gives the same bits.
if [[ $level ]]; then
  loader=/lib64/ld-linux-x86-64.so.2
  plain=("$loader" --glibc-hwcaps-mask x86-64-v2 /usr/bin/sinew)
  LD_DEBUG=libs "${plain[@]}" --version 2>trace >/dev/null
  if grep -q "calling init: .*glibc-hwcaps.*libsinew" trace; then wrong "the mask of the loader is without effect"; fi
  same "sinew run without $level" "$hash" "$("${plain[@]}" "${words[@]}" | hash_of)"
fi

same "python3" "$hash" "$(python3 -c "import sinew; print(sinew.run('snake/sidewinding', until=1)['hash'])")"
[[ $(man -P cat sinew) == *SINEW* ]] || wrong "man sinew shows nothing"
same "completion" "run" "$(bash -c '. /usr/share/bash-completion/completions/sinew
  COMP_WORDS=(sinew ru) COMP_CWORD=1 COMP_LINE="sinew ru" COMP_POINT=8; _sinew; echo "${COMPREPLY[@]}"' | tr -d ' \n')"
[[ -s /usr/share/sinew/viewer/index.html ]] || wrong "there is no page of the view"

dpkg --purge sinew >/dev/null
files >after
same "what is left when it is removed" "" "$(diff before after | grep '^[<>]' || true)"
if [[ $(ldconfig -p) == *libsinew* ]]; then wrong "the loader still knows the library"; fi
echo "installed, used and removed" >/verdict
