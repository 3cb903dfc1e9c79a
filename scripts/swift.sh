#!/usr/bin/env bash
# Runs Swift in the current folder: that of this machine or, where a Debian has none, that of Debian 13 in a folder of its
# own. HOLDFAST_SWIFT=install installs the latter (2 GB), which takes root and debootstrap.
set -euo pipefail

readonly ROOT=${HOLDFAST_SWIFT_ROOT:-/var/cache/holdfast/swift-of-debian-13}
REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly REPOSITORY

# OpenStack has a command of the same name.
if swift --version 2>/dev/null | grep -q 'Swift version'; then exec swift "$@"; fi

if [ ! -d "$ROOT" ]; then
  if [ "${HOLDFAST_SWIFT:-}" != install ]; then
    echo "there is no Swift; HOLDFAST_SWIFT=install installs that of Debian 13" >&2
    exit 1
  fi
  rm -rf "$ROOT.new"
  mkdir -p "$ROOT.new"
  debootstrap --variant=minbase trixie "$ROOT.new" >&2
  DEBIAN_FRONTEND=noninteractive chroot "$ROOT.new" \
    apt-get install -y --no-install-recommends swiftlang libc6-dev libstdc++-14-dev git >&2
  mv "$ROOT.new" "$ROOT"
fi

# The mounts are seen by this process only, and end with it.
mkdir -p "$ROOT$REPOSITORY"
exec unshare --mount bash -c '
  root=$1 repository=$2 folder=$3
  shift 3
  mount --bind "$repository" "$root$repository"
  mount -t proc proc "$root/proc"
  exec chroot "$root" env -i HOME=/root PATH=/usr/libexec/swift/bin:/usr/bin:/bin \
    sh -c '\''cd "$1" && shift && exec swift "$@"'\'' swift "$folder" "$@"
' swift "$ROOT" "$REPOSITORY" "$PWD" "$@"
