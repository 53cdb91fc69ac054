#!/bin/sh
# Check that Python, cargo and a C compiler are there. For each one that is missing, print the command that installs it.
# Usage: tools/prerequisites.sh PYTHON (empty if the Makefile found none)
python=$1
ok=yes
sudo=$([ "$(id -u)" = 0 ] || echo "sudo ")

missing() {
    echo "$1 Install it with: $2" >&2
    ok=no
}

# package APT DNF BREW OTHERWISE: the command for the package manager of this machine
package() {
    if command -v apt-get > /dev/null; then
        echo "${sudo}apt-get update && ${sudo}apt-get install -y $1"
    elif command -v dnf > /dev/null; then
        echo "${sudo}dnf install -y $2"
    elif [ -n "$3" ] && command -v brew > /dev/null; then
        echo "brew install $3"
    else
        echo "$4"
    fi
}

if [ -z "$python" ]; then
    case $(python3 -c 'import sys; print(sys.version_info >= (3, 11))' 2> /dev/null) in
    True) debian="python3-venv" ;; # Debian's Python comes without the modules that make environments
    *) debian=$(apt-cache show python3.11 > /dev/null 2>&1 && echo "python3.11 python3.11-venv" || echo "python3 python3-venv") ;;
    esac
    missing "Python 3.11 or later, with venv, was not found." \
        "$(package "$debian" python3.11 python@3.11 "curl -LsSf https://astral.sh/uv/install.sh | sh && ~/.local/bin/uv python install 3.11")"
fi

rustup="curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y"
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
if ! command -v cargo > /dev/null; then
    missing "cargo (Rust $needed or later) was not found." "$rustup"
else
    found=$(cargo --version | cut -d ' ' -f 2)
    oldest=$(printf '%s\n%s\n' "$needed" "$found" | sort -t . -k 1,1n -k 2,2n | head -n 1)
    if [ "$oldest" != "$needed" ]; then
        command -v rustup > /dev/null && rustup="rustup update stable"
        missing "cargo $found is too old: Rust $needed or later is needed." "$rustup"
    fi
fi

if ! command -v "${CC:-cc}" > /dev/null; then
    missing "A C compiler (${CC:-cc}) was not found." "$(package build-essential gcc "" "xcode-select --install")"
fi

[ "$ok" = yes ]
