import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planInstallation, SCRIPT } from './provide.ts';
import { findBinaries, type PackageManager } from './programs.ts';

describe('planInstallation', () => {
  const SERVERS = ['postgres', 'redis', 'rabbitmq', 'nginx'] as const;

  it('installs with apt-get as root, and with sudo if that needs no password', () => {
    const asRoot = planInstallation(['redis'], { manager: 'apt-get', privilege: 'root' });
    assert.equal(asRoot.kind === 'run' && asRoot.command, 'sh');
    const asUser = planInstallation(['redis'], { manager: 'apt-get', privilege: 'sudo' });
    assert.deepEqual(asUser.kind === 'run' && [asUser.command, asUser.args[0]], ['sudo', '-n']);
  });

  it('installs only what is missing', () => {
    const plan = planInstallation(['rabbitmq', 'nginx'], { manager: 'apt-get', privilege: 'root' });
    assert.match(plan.kind === 'run' ? plan.args.join(' ') : '', /install\.sh rabbitmq-server nginx$/);
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
    it(`says what to do with ${manager ?? 'an unknown package manager'}, and without it`, () => {
      const plan = planInstallation(SERVERS, { manager, privilege: 'none' });
      assert.deepEqual(plan, { kind: 'advise', advice: `${command}\nOr, with Docker: docker compose up` });
    });
});

describe('the script that installs packages', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'install-'));
    for (const folder of ['usr/sbin', 'etc/init.d', 'bin'])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'etc/init.d/cron'), '');
    tool('systemctl', 'exit 0');
    tool('update-rc.d', `echo "$@" >> ${root}/disabled`);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const tool = (name: string, script: string): void => {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  const run = (): number | null =>
    spawnSync('sh', [SCRIPT, 'redis-server', 'nginx'], {
      env: { PATH: `${root}/bin:/usr/bin:/bin`, ROOT: root },
    }).status;
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');

  it('starts no daemon while it installs, and disables new ones', () => {
    tool(
      'apt-get',
      `[ "$*" = '-o DPkg::Lock::Timeout=120 install -y --no-install-recommends redis-server nginx' ] || exit 1
       cat ${root}/usr/sbin/policy-rc.d ${root}/etc/postgresql-common/createcluster.d/* > ${root}/seen
       touch ${root}/etc/init.d/redis-server`,
    );
    assert.equal(run(), 0);
    assert.match(read('seen'), /exit 101[^]*create_main_cluster = false/);
    assert.equal(read('disabled'), 'redis-server disable\n');
    assert.ok(!existsSync(join(root, 'usr/sbin/policy-rc.d')));
    assert.ok(!existsSync(join(root, 'etc/postgresql-common/createcluster.d/gatehouse.conf')));
  });

  it('restores an existing policy, also after a failure', () => {
    writeFileSync(join(root, 'usr/sbin/policy-rc.d'), 'mine');
    tool('apt-get', 'exit 100');
    assert.notEqual(run(), 0);
    assert.equal(read('usr/sbin/policy-rc.d'), 'mine');
  });

  it('updates the package lists only when the installation fails without', () => {
    tool(
      'apt-get',
      `echo "$3" >> ${root}/calls; [ "$3" = update ] || [ -e ${root}/updated ] || { touch ${root}/updated; exit 1; }`,
    );
    assert.equal(run(), 0);
    assert.equal(read('calls'), 'install\nupdate\ninstall\n');
  });
});

describe('findBinaries', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'binaries-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('takes Valkey where Redis is not', () => {
    for (const name of ['valkey-server', 'redis-server']) {
      const program = join(folder, name);
      writeFileSync(program, '', { mode: 0o755 });
      assert.equal(findBinaries(folder).redis, program);
    }
  });

  it('finds any Chromium, and prefers the one without windows', () => {
    assert.equal(findBinaries(folder).chromium, undefined);
    for (const name of ['google-chrome-stable', 'chromium', 'chromium-headless-shell']) {
      const program = join(folder, name);
      writeFileSync(program, '', { mode: 0o755 });
      assert.equal(findBinaries(folder).chromium, program);
    }
  });
});
