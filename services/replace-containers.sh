#!/bin/sh
# Replaces the running containers by those of docker-compose.yml without failing a request (docs/containers.md).
#   [BACK=1] sh replace-containers.sh [options of docker compose, such as -p other --env-file .env.other]
set -eu

# The configuration of an image without its labels, which differ in every version.
contents() {
  docker image inspect --format '{{json .RootFS.Layers}} {{json .Config.Env}} {{json .Config.Cmd}}' "$1"
}

# The gateway has the ports, so replacing it refuses connections for a moment: only if its image has changed.
replace_gateway() {
  running=$(docker compose "$@" ps --quiet gateway)
  wanted=$(docker compose "$@" config --images gateway | grep '/gateway:')
  if [ -z "$running" ]; then
    echo 'The gateway is not running: docker compose up -d'
  elif [ "$(contents "$(docker inspect --format '{{.Image}}' "$running")")" = "$(contents "$wanted")" ]; then
    echo 'The gateway has not changed and stays.'
  else
    docker compose "$@" up --detach --wait --no-deps gateway
  fi
}

# Starts new instances next to the old ones, which the gateway finds within a second, then stops the old ones.
replace() {
  service=$1
  shift
  old=$(docker compose "$@" ps --quiet "$service")
  count=$(echo "$old" | grep -c . || true)
  if [ "$count" -eq 0 ]; then return; fi
  docker compose "$@" up --detach --wait --no-deps --no-recreate --scale "$service=$((count * 2))" "$service" || {
    # The new ones go, because the next run counts the instances.
    new=$(docker compose "$@" ps --all --quiet "$service" | grep -vxF "$old")
    docker compose "$@" logs --tail 20 "$service" >&2
    docker rm --force $new > /dev/null
    exit 1
  }
  sleep 2
  for container in $old; do
    docker stop "$container" > /dev/null
    docker rm "$container" > /dev/null
  done
}

# Each comes after those that understand it: workers know what services of the newer version send, and its gateway knows
# their paths, and finds the files of their pages while two versions run. BACK=1 returns to an earlier version.
workers='mail-worker hook-worker'
apis='core portal admin'
if [ -z "${BACK:-}" ]; then
  replace_gateway "$@"
  for name in $workers $apis; do replace "$name" "$@"; done
else
  for name in $apis $workers; do replace "$name" "$@"; done
  replace_gateway "$@"
fi
