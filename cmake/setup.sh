# Sourced by tests/run, examples/run, bench/run: installs what is missing, configures, builds.
#
# Read from the environment: CXX (another compiler gets a build folder of its own), CMAKE_ARGS (more
# arguments for cmake), PRIMAL_NO_INSTALL=1 (never call apt-get; whatever is missing is cmake's to
# report).
# shellcheck shell=bash

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf -- '-- primal: %s\n' "$*"; }

# The comment at the head of a script is its help.
print_help() { awk 'NR == 1 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0"; }

die() {
  printf 'primal: %s\n' "$*" >&2
  exit 1
}

# ---- what is installed ---------------------------------------------------------------------------

missing=()

has_command() { command -v "$1" >/dev/null 2>&1; }

# Asks the compiler rather than the package manager: headers may come from anywhere.
has_header() {
  local header
  for header in "$@"; do
    "${CXX:-g++}" -std=c++20 -x c++ -E - <<<"#include <$header>" >/dev/null 2>&1 && return
  done
  return 1
}

need_command() { has_command "$1" || missing+=("$2"); }  # need_command COMMAND PACKAGE

need_header() {  # need_header PACKAGE HEADER...: any one of the headers is enough
  local package=$1
  shift
  has_header "$@" || missing+=("$package")
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  else
    sudo -- "$@"
  fi
}

# Installs what `missing` lists. Fails where that is impossible, and says what to do.
install_missing() {
  ((${#missing[@]})) || return 0
  local list="${missing[*]}"
  if [[ -n ${PRIMAL_NO_INSTALL:-} ]]; then
    say "not installing $list (PRIMAL_NO_INSTALL is set)"
    missing=()
    return
  fi
  if ! has_command apt-get; then
    echo "primal: not found, and there is no apt-get to install them: $list" >&2
    return 1
  fi
  if ((EUID != 0)) && ! has_command sudo; then
    echo "primal: not found: $list. Run as root: apt-get install $list" >&2
    return 1
  fi

  say "installing $list"
  local log apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=600)
  log=$(mktemp)
  [[ -n ${lists_are_fresh:-} ]] || as_root "${apt[@]}" update >"$log" 2>&1 ||
    say "apt-get update failed; trying with the lists there are"
  lists_are_fresh=1
  # A minimal Ubuntu knows its main component only, and the headers are in universe.
  if grep -q '^ID=ubuntu' /etc/os-release && ! apt-cache show libxtensor-dev >/dev/null 2>&1; then
    {
      as_root "${apt[@]}" install --no-install-recommends software-properties-common &&
        as_root add-apt-repository -y universe && as_root "${apt[@]}" update
    } >>"$log" 2>&1 || say "could not add Ubuntu's component universe"
  fi
  if ! as_root "${apt[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    tail -n 30 "$log" >&2
    rm -f "$log"
    echo "primal: apt-get could not install: $list" >&2
    return 1
  fi
  rm -f "$log"
  missing=()
}

# The compiler comes first, since it is what looks for headers. A script then says what else it
# needs, and last calls install_libraries.
install_compiler() {
  local compiler=${CXX:-g++} package
  package=${compiler##*/}
  need_command "$compiler" "${package/#clang++/clang}"
  install_missing || exit 1
  if [[ $compiler == g++ ]] && (($(g++ -dumpversion | cut -d. -f1) < 12)); then
    die "g++ $(g++ -dumpversion) is too old: 12 or later is needed (CXX names another compiler)"
  fi
}

install_libraries() {
  need_command cmake cmake
  has_command ninja || has_command make || missing+=(ninja-build)
  need_header libxtensor-dev xtensor/xtensor.hpp xtensor/containers/xtensor.hpp
  need_header libxsimd-dev xsimd/xsimd.hpp
  need_header libboost-dev boost/hana.hpp
  install_missing || exit 1

  # Not needed: without it, primal multiplies matrices with loops of its own.
  need_header libopenblas-dev cblas.h
  install_missing || { missing=(); say "no BLAS: going on without it"; }
}

# ---- building ------------------------------------------------------------------------------------

# As many jobs as there are cores, but no more than memory for: a translation unit full of templates
# takes 1.5 GB.
jobs_that_fit() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
  ((memory >= 1)) || memory=1
  echo $((memory < cores ? memory : cores))
}

# configure NAME [cmake argument...]: sets `build` to build/NAME, or build/NAME-COMPILER where CXX
# is set.
configure() {
  local name=$1
  shift
  [[ -n ${CXX:-} ]] && name+=-${CXX##*/}
  build=$root/build/$name
  mkdir -p "$build"

  # A build folder that came with a copied tree still points into the original.
  local cache=$build/CMakeCache.txt generator=()
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf "$build"
    mkdir -p "$build"
  fi
  [[ -f $cache ]] || ! has_command ninja || generator=(-G Ninja)

  local log=$build/configure.log
  # shellcheck disable=SC2086  # CMAKE_ARGS is a list of words
  if ! cmake -S "$root" -B "$build" "${generator[@]}" "$@" ${CMAKE_ARGS:-} >"$log" 2>&1; then
    cat "$log" >&2
    die "cmake failed"
  fi
  grep -E '^-- primal: |Warning' "$log" || true
}

# build_targets TARGET...: goes on after an error, so that one run shows them all.
build_targets() {
  local go_on=-k
  [[ -f $build/build.ninja ]] && go_on=-k0
  cmake --build "$build" --parallel "$(jobs_that_fit)" --target "$@" -- "$go_on"
}
