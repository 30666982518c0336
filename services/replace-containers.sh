#!/bin/sh
# Replaces the running containers by those of docker-compose.yml without failing a request (docs/containers.md).
#   sh replace-containers.sh [options of docker compose, such as -p other --env-file .env.other]
set -eu

# The configuration of an image without its labels, which differ in every version.
contents() {
  docker image inspect --format '{{json .RootFS.Layers}} {{json .Config.Env}} {{json .Config.Cmd}}' "$1"
}

# The gateway has the ports, so replacing it refuses connections for a moment: only if its image has changed. It comes
# first, because it knows the paths of this version, and finds the files of its pages while two versions run.
running=$(docker compose "$@" ps --quiet gateway)
wanted=$(docker compose "$@" config --images gateway | grep '/gateway:')
if [ -z "$running" ]; then
  echo 'The gateway is not running: docker compose up -d'
elif [ "$(contents "$(docker inspect --format '{{.Image}}' "$running")")" = "$(contents "$wanted")" ]; then
  echo 'The gateway has not changed and stays.'
else
  docker compose "$@" up --detach --wait --no-deps gateway
fi

# Starts the new instances next to the old ones, which the gateway finds within a second, then stops the old ones.
# Workers come first: they know what services of this version send.
for service in mail-worker hook-worker core portal admin; do
  old=$(docker compose "$@" ps --quiet "$service")
  count=$(echo "$old" | grep -c . || true)
  if [ "$count" -eq 0 ]; then continue; fi
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
done
