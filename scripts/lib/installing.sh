# shellcheck shell=bash disable=SC2154
# How a library built here gets under the prefix, and how a later run knows that it is there.
# Sourced after paths.sh.

# What a build depends on, as text: the pins, and whatever else is given.
stamp_text() {
    local pins=$1
    shift
    { grep -v '^#' "$pins"; printf '%s\n' "$@"; } | sha256sum | cut -d' ' -f1
}

stamp_file() { echo "$aura_prefix/share/aura/$1.stamp"; }

# is_installed NAME STAMP FILE…: was it built from the same things, and is every file there?
is_installed() {
    local name=$1 stamp=$2 file
    shift 2
    [[ $(cat "$(stamp_file "$name")" 2>/dev/null) == "$stamp" ]] || return 1
    for file; do [[ -e $aura_prefix/$file ]] || return 1; done
}

# install_stage NAME FOLDER STAMP: moves every file of FOLDER under the prefix by renaming, so a
# running program keeps the library it has open, then records the stamp.
install_stage() {
    local name=$1 stage=$2 stamp=$3 file target
    while IFS= read -r -d '' file; do
        target=$aura_prefix/$file
        mkdir -p "$(dirname "$target")"
        cp -P --preserve=mode "$stage/$file" "$target.aura-new"
        mv -fT "$target.aura-new" "$target"
    done < <(cd "$stage" && find . \( -type f -o -type l \) -printf '%P\0')
    if [[ $aura_prefix == /usr/local && $(id -u) == 0 ]]; then ldconfig; fi
    mkdir -p "$aura_prefix/share/aura"
    echo "$stamp" >"$(stamp_file "$name").new"
    mv -f "$(stamp_file "$name").new" "$(stamp_file "$name")"
}

# A path as a .pc file writes it.
pc_path() { echo "${1// /\\ }"; }
