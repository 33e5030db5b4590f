# shellcheck shell=bash disable=SC2034
# Where things are; sourced by every script, so that all of them build the same way.
#
#   aura_root     the project
#   aura_prefix   libraries built by scripts/setup (AURA_PREFIX overrides)
#   aura_models   model files (AURA_MODELS overrides)
#   aura_work     downloads, build folders and other things that can be made again

aura_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

if [[ -z ${HOME:-} ]]; then
    HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
    export HOME
fi

# As the XDG rules say, a folder that is not absolute is ignored.
[[ ${XDG_DATA_HOME:-} == /* ]] && aura_data=$XDG_DATA_HOME/aura || aura_data=$HOME/.local/share/aura
[[ ${XDG_CACHE_HOME:-} == /* ]] && aura_work=$XDG_CACHE_HOME/aura || aura_work=$HOME/.cache/aura

aura_models=$(realpath -ms "${AURA_MODELS:-$aura_data/models}")

if [[ -n ${AURA_PREFIX:-} ]]; then
    aura_prefix=$(realpath -ms "$AURA_PREFIX")
elif [[ $(id -u) == 0 ]]; then
    aura_prefix=/usr/local
else
    aura_prefix=$aura_data/prefix
fi

# The flags that every `swift build`, `swift test` and `swift run` needs, one a line (a path
# may hold blanks):
#     mapfile -t flags < <(aura_swift_flags)
#     swift build "${flags[@]}"
# The system finds libraries in /usr/local by itself; elsewhere the program must be told.
aura_swift_flags() {
    printf '%s\n' --pkg-config-path "$aura_prefix/lib/pkgconfig"
    [[ $aura_prefix == /usr/local ]] || printf '%s\n' -Xlinker -rpath -Xlinker "$aura_prefix/lib"
}

# The clang that came with the Swift on PATH. swiftc may be a link to a version chooser, so the
# compiler itself is asked where it lives.
aura_clang() {
    local resources
    resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
    local clang=${resources%/lib/swift}/bin/clang
    [[ -x $clang ]] || clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
    [[ -x $clang ]] || { echo "no clang beside $(command -v swiftc)" >&2; return 1; }
    echo "$clang"
}

# A python3 with pip: the one on PATH, else the system's. Fails without output when none has it.
aura_python() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
            command -v "$python"
            return
        fi
    done
    return 1
}

# Shows on the terminal that a long step is alive; scripts/setup opens channel 3.
aura_tick() { { printf %s "${1:-.}" >&3; } 2>/dev/null || true; }
