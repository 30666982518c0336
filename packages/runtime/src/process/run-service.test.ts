import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModules } from '@gatehouse/build';

describe('runService', () => {
  let folder: string;
  before(async () => {
    folder = await bundleModules({
      runtime: 'packages/runtime/src/index.ts',
      schema: 'packages/schema/src/index.ts',
    });
  });
  after(() => rm(folder, { recursive: true }));

  const moduleUrl = (name: string) => pathToFileURL(join(folder, `${name}.mjs`)).href;
  const start = (settings: Record<string, string>) => {
    const script = `
      import { readConfig, runService, secret, setting } from '${moduleUrl('runtime')}';
      import { Type } from '${moduleUrl('schema')}';
      const settings = Type.Object({
        LOG_LEVEL: setting('info', ''), INTERNAL_HOST: setting('127.0.0.1', ''), INTERNAL_PORT: setting(0, ''),
        FIRST: secret(''), SECOND: Type.Integer(),
      });
      runService('test', () => readConfig(settings), async () => ({ checks: {}, facts: { port: 7 } }));`;
    return spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: settings,
    });
  };

  it('logs all configuration errors in one line, without values and stack', async () => {
    const child = start({ FIRST: 'canary', SECOND: 'canary' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 1);
    assert.equal(output.trimEnd().split('\n').length, 1, output);
    const { level, message } = JSON.parse(output) as { level: string; message: string };
    assert.equal(level, 'error');
    assert.match(message, /FIRST/);
    assert.match(message, /SECOND/);
    assert.doesNotMatch(output, /canary/);
  });

  it('logs its port, becomes ready, and stops with exit code 0', async () => {
    const child = start({ FIRST: 'x'.repeat(32), SECOND: '2' });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    const line = JSON.parse(chunk.toString()) as { message: string; port: number; internalPort: number };
    assert.deepEqual([line.message, line.port], ['listening', 7]);
    const answer = await fetch(`http://127.0.0.1:${line.internalPort}/health/ready`);
    assert.equal(answer.status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
