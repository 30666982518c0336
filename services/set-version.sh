#!/bin/sh
# Names the images after what is checked out, in the settings of Docker Compose: sh services/set-version.sh [file]
# After the release if exactly its tag is checked out, otherwise after the commit. .env is the file by default.
set -eu

settings=${1:-.env}
if [ ! -f "$settings" ]; then
  echo "$settings does not exist: cp .env.example $settings" >&2
  exit 1
fi
sources=$(dirname "$0")/..
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$sources/package.json")
revision=unknown
# A release's archive has no repository; git must not find another one around it.
if [ -e "$sources/.git" ]; then
  revision=$(git -C "$sources" rev-parse --short=12 HEAD)
  dirty=$(git -C "$sources" diff-index --quiet HEAD -- || echo -dirty)
  released=$(git -C "$sources" tag --points-at HEAD)
  if [ -n "$dirty" ] || ! echo "$released" | grep -Fxq -e "v$version" -e "$version"; then
    version=$version-$revision$dirty
  fi
fi

before=$(sed -n 's/^GATEHOUSE_VERSION=//p' "$settings")
kept=$(sed -e '/^GATEHOUSE_VERSION=/d' -e '/^GATEHOUSE_REVISION=/d' "$settings")
printf '%s\nGATEHOUSE_VERSION=%s\nGATEHOUSE_REVISION=%s\n' "$kept" "$version" "$revision" > "$settings"
echo "GATEHOUSE_VERSION=$version (before: ${before:-none})"
