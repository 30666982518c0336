import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

describe('services/set-version.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'versions-'));
    mkdirSync(join(folder, 'services'));
    for (const file of ['package.json', 'services/set-version.sh', '.env.example']) {
      copyFileSync(join(ROOT, file), join(folder, file));
    }
    copyFileSync(join(folder, '.env.example'), join(folder, '.env'));
    writeFileSync(join(folder, '.gitignore'), '.env\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (command: string, ...given: string[]): string =>
    execFileSync(command, given, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const git = (...given: string[]) => run('git', '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...given);
  const setVersion = (): string | undefined => {
    run('sh', 'services/set-version.sh');
    return /^GATEHOUSE_VERSION=(.*)$/m.exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1];
  };
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

  it('names the images after the commit, and after the release only where its tag is checked out', () => {
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'one');
    const commit = git('rev-parse', '--short=12', 'HEAD').trim();
    assert.equal(setVersion(), `${version}-${commit}`);
    git('tag', `v${version}`);
    assert.equal(setVersion(), version);
    writeFileSync(join(folder, 'package.json'), `${readFileSync(join(folder, 'package.json'), 'utf8')}\n`);
    assert.equal(setVersion(), `${version}-${commit}-dirty`);
  });

  it('names them after the release without a repository, and keeps all other settings', () => {
    assert.equal(setVersion(), version);
    assert.equal(setVersion(), version);
    const settings = readFileSync(join(folder, '.env'), 'utf8').split('\n');
    const before = readFileSync(join(folder, '.env.example'), 'utf8').trimEnd().split('\n');
    assert.deepEqual(settings, [...before, `GATEHOUSE_VERSION=${version}`, 'GATEHOUSE_REVISION=unknown', '']);
  });

  it('says where the settings come from if there are none', () => {
    rmSync(join(folder, '.env'));
    assert.throws(() => setVersion(), /cp \.env\.example \.env/);
  });
});

describe('services/replace-containers.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'replace-'));
  after(() => rmSync(folder, { recursive: true }));

  /** The calls of a Docker that has two instances of Core and one container of everything else. */
  const callsWith = (image: string): string[] => {
    const log = join(folder, 'log');
    writeFileSync(log, '');
    writeFileSync(
      join(folder, 'docker'),
      `#!/bin/sh
echo "$*" >> '${log}'
case "$*" in
  *'ps --quiet core') echo core-1; echo core-2 ;;
  *'ps --quiet '*) echo "$6-1" ;;
  *'config --images gateway') echo gatehouse/gateway:new ;;
  'inspect '*) echo running ;;
  'image inspect '*) [ "$5" = running ] && echo contents || echo '${image}' ;;
esac
`,
    );
    chmodSync(join(folder, 'docker'), 0o755);
    const script = join(ROOT, 'services/replace-containers.sh');
    execFileSync('sh', ['-c', 'PATH="$0:$PATH" exec sh "$@"', folder, script, '-p', 'x'], {
      stdio: 'ignore',
    });
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    return calls.filter((call) => /\b(up|stop|rm)\b/.test(call));
  };
  const up = 'compose -p x up --detach --wait --no-deps';

  it('starts new instances before it stops old ones, and leaves the gateway if it has not changed', function () {
    this.timeout(20_000);
    assert.deepEqual(callsWith('contents'), [
      `${up} --no-recreate --scale core=4 core`,
      ...['core-1', 'core-2'].flatMap((name) => [`stop ${name}`, `rm ${name}`]),
      ...['portal', 'admin', 'mail-worker'].flatMap((name) => [
        `${up} --no-recreate --scale ${name}=2 ${name}`,
        ...[`stop ${name}-1`, `rm ${name}-1`],
      ]),
    ]);
  });

  it('replaces a changed gateway last, without waiting for the APIs', function () {
    this.timeout(20_000);
    assert.equal(callsWith('other contents').at(-1), `${up} gateway`);
  });
});
