import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installScript, planInstallation } from './install.ts';

const LINUX = { platform: 'linux', hasAptGet: true, privilege: 'root' } as const;

describe('planInstallation', () => {
  it('installs with apt-get as root, and with sudo if that needs no password', () => {
    const asRoot = planInstallation(['redis'], LINUX);
    assert.equal(asRoot.kind === 'run' && asRoot.command, 'sh');
    const asUser = planInstallation(['redis'], { ...LINUX, privilege: 'sudo' });
    assert.deepEqual(asUser.kind === 'run' && [asUser.command, asUser.args[0]], ['sudo', '-n']);
  });

  it('installs only what is missing', () => {
    const plan = planInstallation(['rabbitmq', 'nginx'], LINUX);
    assert.match(plan.kind === 'run' ? plan.args.join(' ') : '', /install .* rabbitmq-server nginx\n/);
  });

  it('shows what to do if it cannot install', () => {
    const advice = (machine: Parameters<typeof planInstallation>[1]): string => {
      const plan = planInstallation(['postgres', 'nginx'], machine);
      return plan.kind === 'advise' ? plan.advice : '';
    };
    const noRoot = advice({ ...LINUX, privilege: 'none' });
    assert.match(noRoot, /sudo apt-get install postgresql nginx/);
    assert.match(advice({ ...LINUX, platform: 'darwin' }), /brew install postgresql@15 nginx/);
    for (const text of [noRoot, advice({ ...LINUX, hasAptGet: false })])
      assert.match(text, /docker compose up/);
  });
});

describe('installScript', () => {
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
    spawnSync('sh', ['-c', installScript(['redis-server'], root)], {
      env: { PATH: `${root}/bin:/usr/bin:/bin` },
    }).status;
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');

  it('starts no daemon while it installs, and disables new ones', () => {
    tool(
      'apt-get',
      `cat ${root}/usr/sbin/policy-rc.d ${root}/etc/postgresql-common/createcluster.d/* > ${root}/seen
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
