import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

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
      ...['portal', 'admin', 'mail-worker', 'hook-worker'].flatMap((name) => [
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
