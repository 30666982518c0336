#!/bin/sh
# Prints the Secrets of a deployment on Kubernetes, one for each service, from the files of `npm run secrets` and the keys
# that `keys provide` has created (docs/kubernetes.md):
#   sh deploy/kubernetes/secrets.sh secrets secrets/keys secrets/portal-keys secrets/core-keys | kubectl apply -f -
set -eu

[ $# -eq 4 ] || { echo 'usage: secrets.sh <secrets> <keys> <portal keys> <core keys>' >&2; exit 1; }

# secret <name> <folder> <file>…
secret() {
  name=$1
  folder=$2
  shift 2
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: { name: %s }\ntype: Opaque\ndata:\n' "$name"
  for file in "$@"; do
    [ -r "$folder/$file" ] || { echo "$folder/$file is missing" >&2; exit 1; }
    printf '  %s: "%s"\n' "$file" "$(base64 < "$folder/$file" | tr -d '\n')"
  done
}

# Headers for the receiver of traces, if the file exists.
traces=
if [ -e "$1/otel-headers" ]; then traces=otel-headers; fi

# A proxy for identity providers and webhooks, likewise.
proxy=
if [ -e "$1/https-proxy" ]; then proxy=https-proxy; fi

# Prints nothing unless everything exists.
all=$(
  secret gatehouse-core "$1" core-database-url redis-url amqp-url token-secret password-pepper two-factor-key $traces
  secret gatehouse-portal "$1" portal-database-url redis-url amqp-url password-pepper $traces
  secret gatehouse-admin "$1" admin-database-url redis-url amqp-url token-secret password-pepper two-factor-key \
    first-admin-password sso-providers hook-public-key $proxy $traces
  secret gatehouse-mail-worker "$1" mail-worker-database-url amqp-url mail-key smtp-url $traces
  secret gatehouse-hook-worker "$1" hook-worker-database-url amqp-url hook-key $proxy $traces
  secret gatehouse-migrate "$1" owner-database-url core-database-password portal-database-password \
    admin-database-password mail-worker-database-password hook-worker-database-password
  # The servers of a trial (values-demo.yaml).
  secret gatehouse-demo "$1" postgres-password redis.conf rabbitmq.conf
  secret gatehouse-issuing-keys "$2" signing-keys.json mail-public-key
  secret gatehouse-portal-keys "$3" verification-keys.json portal-secret mail-public-key
  secret gatehouse-core-keys "$4" id-token-keys.json
)
printf '%s\n' "$all"
