import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { useFolder } from '@gatehouse/runtime/testing';
import { installationOf, SCRIPT } from './provide.ts';
import { findBinaries, type PackageManager } from './programs.ts';

describe('the installation of missing programs', () => {
  const SERVERS = ['postgres', 'redis', 'rabbitmq', 'nginx'] as const;

  it('is done with apt-get as root, and with sudo if that needs no password', () => {
    const own = ['sh', SCRIPT, 'rabbitmq-server', 'nginx'];
    const as = (privilege: 'root' | 'sudo') =>
      installationOf(['rabbitmq', 'nginx'], { manager: 'apt-get', privilege });
    assert.deepEqual([as('root'), as('sudo')], [own, ['sudo', '-n', ...own]]);
  });

  const commands: [PackageManager | undefined, string][] = [
    ['apt-get', 'Install it: sudo apt-get install postgresql redis-server rabbitmq-server nginx'],
    ['dnf', 'Install it: sudo dnf install postgresql-server valkey rabbitmq-server nginx'],
    ['pacman', 'Install it: sudo pacman -S --needed postgresql valkey rabbitmq nginx'],
    ['apk', 'Install it: sudo apk add postgresql16 valkey rabbitmq-server nginx'],
    ['brew', 'Install it: brew install postgresql@15 redis rabbitmq nginx'],
    [undefined, "Install it with your system's package manager."],
  ];
  for (const [manager, command] of commands)
    it(`is advised with ${manager ?? 'an unknown package manager'}, and without it`, () =>
      assert.throws(() => installationOf(SERVERS, { manager, privilege: 'none' }), {
        message: 'Not installed on this machine: Postgres, Redis, RabbitMQ, nginx',
        advice: `${command}\nOr, with Docker: docker compose up`,
      }));
});

describe('the script that installs packages', () => {
  const at = useFolder();
  beforeEach(() => {
    for (const folder of ['usr/sbin', 'etc/init.d', 'bin']) mkdirSync(at(folder), { recursive: true });
    writeFileSync(at('etc/init.d/cron'), '');
    tool('systemctl', 'exit 0');
    tool('update-rc.d', `echo "$@" >> ${at('disabled')}`);
  });

  const tool = (name: string, script: string): void =>
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const run = (): number | null =>
    spawnSync('sh', [SCRIPT, 'redis-server', 'nginx'], {
      env: { PATH: `${at('bin')}:/usr/bin:/bin`, ROOT: at() },
    }).status;
  const read = (path: string): string => readFileSync(at(path), 'utf8');

  it('starts no daemon while it installs, and disables new ones', () => {
    tool(
      'apt-get',
      `[ "$*" = '-o DPkg::Lock::Timeout=120 install -y --no-install-recommends redis-server nginx' ] || exit 1
       cat ${at()}/usr/sbin/policy-rc.d ${at()}/etc/postgresql-common/createcluster.d/* > ${at('seen')}
       touch ${at('etc/init.d/redis-server')}`,
    );
    assert.equal(run(), 0);
    assert.match(read('seen'), /exit 101[^]*create_main_cluster = false/);
    assert.equal(read('disabled'), 'redis-server disable\n');
    assert.ok(!existsSync(at('usr/sbin/policy-rc.d')));
    assert.ok(!existsSync(at('etc/postgresql-common/createcluster.d/gatehouse.conf')));
  });

  it('restores an existing policy, also after a failure', () => {
    writeFileSync(at('usr/sbin/policy-rc.d'), 'mine');
    tool('apt-get', 'exit 100');
    assert.notEqual(run(), 0);
    assert.equal(read('usr/sbin/policy-rc.d'), 'mine');
  });

  it('updates the package lists only when the installation fails without', () => {
    tool(
      'apt-get',
      `echo "$3" >> ${at('calls')}; [ "$3" = update ] || [ -e ${at('updated')} ] || { touch ${at('updated')}; exit 1; }`,
    );
    assert.equal(run(), 0);
    assert.equal(read('calls'), 'install\nupdate\ninstall\n');
  });
});

describe('findBinaries', () => {
  const at = useFolder();

  for (const [what, program, names] of [
    ['takes Valkey where Redis is not', 'redis', 'valkey-server redis-server'],
    [
      'finds any Chromium, and prefers the one without windows',
      'chromium',
      'google-chrome-stable chromium chromium-headless-shell',
    ],
  ] as const)
    it(what, () => {
      assert.equal(findBinaries(at())[program], undefined);
      for (const name of names.split(' ')) {
        writeFileSync(at(name), '', { mode: 0o755 });
        assert.equal(findBinaries(at())[program], at(name));
      }
    });
});
