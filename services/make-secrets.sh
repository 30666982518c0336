#!/bin/sh
# Creates the secrets of a deployment with Docker Compose, one file each: sh services/make-secrets.sh [directory]
# Existing files are not changed, so it can be run again, for example after an upgrade.
set -eu

directory=${1:-secrets}
umask 077
mkdir -p "$directory"
# Other users of the machine cannot enter the folder. Its files are readable, because the users of the containers that
# they are mounted into have other ids.
chmod 700 "$directory"

put() {
  [ -e "$directory/$1" ] && return
  printf '%s\n' "$2" > "$directory/.$1.new"
  chmod 644 "$directory/.$1.new"
  mv "$directory/.$1.new" "$directory/$1"
}

random() {
  od -An -v -N "$1" -tx1 /dev/urandom | tr -d ' \n'
}

read_secret() {
  cat "$directory/$1"
}

for name in token-secret password-pepper two-factor-key mail-key; do
  put "$name" "$(random 32)"
done

# Letters and digits only, because passwords become part of URLs.
put postgres-password "$(random 16)"
put owner-database-url "postgres://gatehouse:$(read_secret postgres-password)@postgres:5432/gatehouse"
for service in core portal admin mail-worker; do
  role=gatehouse_$(echo "$service" | tr - _)
  put "$service-database-password" "$(random 16)"
  put "$service-database-url" \
    "postgres://$role:$(read_secret "$service-database-password")@postgres:5432/gatehouse"
done

password=$(random 16)
put redis.conf "requirepass $password"
put redis-url "redis://:$(sed -n 's/^requirepass //p' "$directory/redis.conf")@redis:6379"

password=$(random 16)
put rabbitmq.conf "default_user = gatehouse
default_pass = $password"
put amqp-url "amqp://gatehouse:$(sed -n 's/^default_pass = //p' "$directory/rabbitmq.conf")@rabbitmq:5672"

# The mail server: the inbox of the profile `inbox`, until you replace it by your own.
put smtp-url smtp://inbox:1025
# Both may be empty: the password of FIRST_ADMIN_EMAIL, and the identity providers (docs/sso.md).
put first-admin-password ''
put sso-providers ''

echo "✓ $directory holds every secret. Back it up apart from the database (docs/operations.md)."
