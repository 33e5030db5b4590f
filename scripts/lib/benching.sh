# shellcheck shell=bash disable=SC2154
# What every bench does: builds for release, and works in a temporary folder. Sourced after paths.sh.

# built_for_release PRODUCT: builds it and prints its path. What building says goes to standard error.
built_for_release() {
    local flags
    mapfile -t flags < <(aura_swift_flags)
    flags+=(--package-path "$aura_root" -c release --static-swift-stdlib --product "$1")
    swift build "${flags[@]}" >&2
    echo "$(swift build "${flags[@]}" --show-bin-path)/$1"
}

# make_bench_folder PARENT: sets bench_folder, which goes when the script ends, however it does.
make_bench_folder() {
    bench_folder=$(mktemp -d "$1/aura-bench-XXXXXX")
    trap remove_bench_folder EXIT
    trap 'exit 130' INT TERM HUP
}

# in_bench COMMAND…: runs it so that a signal to this script is obeyed at once.
in_bench() {
    "$@" &
    bench_child=$!
    wait "$bench_child"
    bench_child=''
}

# The model server of the run is asked to end; it would go by itself a little later.
remove_bench_folder() {
    local server
    if [[ -n ${bench_child:-} ]]; then
        kill "$bench_child" 2>/dev/null || true
        wait "$bench_child" 2>/dev/null || true
    fi
    server=$(cat "$bench_folder/run/aura/model.lock" 2>/dev/null || true)
    [[ ! $server =~ ^[0-9]+$ ]] || kill "$server" 2>/dev/null || true
    rm -rf "$bench_folder"
}
