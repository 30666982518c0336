#!/bin/sh
# Installs Debian packages without leaving a daemon behind: it starts none (policy-rc.d, which Debian's maintainer scripts
# consult), enables no new one for the next boot, and lets Postgres create no cluster. It reverts its changes however it
# ends; this is why it is one script and not several commands. ROOT is the parent of the system's folders, for tests.
set -eu
# One output for both, in the order in which they are written.
exec 2>&1
policy=${ROOT:-}/usr/sbin/policy-rc.d
cluster=${ROOT:-}/etc/postgresql-common/createcluster.d/gatehouse.conf
scripts() { ls "${ROOT:-}/etc/init.d" 2>/dev/null | sort; }
units() { systemctl list-unit-files --state=enabled --no-legend 2>/dev/null | cut -d ' ' -f 1 | sort; }
restore() {
  rm -f "$policy" "$cluster"
  if [ -e "$policy.before-gatehouse" ]; then mv "$policy.before-gatehouse" "$policy"; fi
}
trap restore EXIT
trap 'exit 1' INT TERM HUP
scripts_before=$(scripts) units_before=$(units)
if [ -e "$policy" ] && [ ! -e "$policy.before-gatehouse" ]; then mv "$policy" "$policy.before-gatehouse"; fi
printf '#!/bin/sh\nexit 101\n' > "$policy"
chmod 755 "$policy"
mkdir -p "${cluster%/*}"
echo 'create_main_cluster = false' > "$cluster"
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
install() {
  apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@"
}
if ! install "$@"; then
  apt-get -o DPkg::Lock::Timeout=120 update
  install "$@"
fi
for script in $(scripts); do
  echo "$scripts_before" | grep -qxF "$script" || update-rc.d "$script" disable || true
done
for unit in $(units); do
  echo "$units_before" | grep -qxF "$unit" || systemctl disable "$unit" || true
done
