#!/bin/sh
# Writes the tag of the images into the settings of Docker Compose: sh services/set-version.sh [file, .env by default]
# The tag is the release if its tag is checked out, otherwise the release and the commit.
set -eu

settings=${1:-.env}
if [ ! -f "$settings" ]; then
  echo "$settings does not exist: cp .env.example $settings" >&2
  exit 1
fi
sources=$(dirname "$0")/..
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$sources/package.json")
revision=unknown
# An archive of a release is no repository; git must not use a repository that contains it.
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
