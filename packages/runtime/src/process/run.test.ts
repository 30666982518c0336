import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { bundleModules } from '@gatehouse/build';
import { createServer } from 'node:http';
import { listen } from './listen.ts';

/** A process that calls `run` with this function, which can use `lifecycle` and `log`; `say` writes a line. */
function start(body: string, stopSecondsMax = 10) {
  const script = `
    import { createLog, run } from '${moduleUrl('runtime')}';
    const log = createLog({ service: 'test' });
    const say = (message) => { log.info(message); log.flush(); };
    run(log, async (lifecycle) => { ${body} }, ${stopSecondsMax});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: { level: string; message: string; error?: { message: string } }[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line) as never));
  const logged = async (message: string): Promise<void> => {
    while (!lines.some((line) => line.message === message)) await once(reader, 'line');
  };
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(([[code]]) => ({
    code: code as number | null,
    messages: lines.map((line) => line.message),
    lines,
  }));
  return { child, logged, ended };
}

const STAY = 'setInterval(() => undefined, 1000);';

let folder: string;
const [runtime, schema] = ['packages/runtime/src/index.ts', 'packages/schema/src/index.ts'];
before(async () => (folder = await bundleModules({ runtime, schema })));
after(() => rm(folder, { recursive: true }));
const moduleUrl = (name: string) => pathToFileURL(join(folder, `${name}.mjs`)).href;

describe('run', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`stops in reverse order on ${signal} and exits with 0`, async () => {
      const { child, logged, ended } = start(`
        lifecycle.onStop(() => say('first stops ' + lifecycle.stopping));
        lifecycle.onStop(async () => { await new Promise((done) => setTimeout(done, 50)); say('second stops'); });
        ${STAY} say('up');`);
      await logged('up');
      child.kill(signal);
      const { code, messages } = await ended;
      assert.deepEqual(messages, ['up', 'second stops', 'first stops true', 'stopped']);
      assert.equal(code, 0);
    });

  it('logs in one line why it could not start, cleans up and exits with 1', async () => {
    const { code, lines } = await start(`
      lifecycle.onStop(() => process.stdout.write('{"message":"undone"}\\n'));
      throw new Error('no port');`).ended;
    const logged = lines.map(({ message, error }) => [message, error?.message]);
    assert.deepEqual(logged, [
      ['startup failed', 'no port'],
      ['undone', undefined],
    ]);
    assert.equal(code, 1);
  });

  it('logs warnings of Node.js as any other line', async () => {
    const { child, logged, ended } = start(`${STAY} process.emitWarning('it is old'); say('up');`);
    await logged('warning from Node.js');
    child.kill('SIGTERM');
    const { lines } = await ended;
    const warning = lines.find(({ message }) => message === 'warning from Node.js');
    assert.deepEqual([warning?.level, warning?.error?.message], ['warn', 'it is old']);
  });

  it('continues to stop when one part fails to', async () => {
    const { child, logged, ended } = start(`
      lifecycle.onStop(() => say('last'));
      lifecycle.onStop(() => { throw new Error('stuck'); });
      ${STAY} say('up');`);
    await logged('up');
    child.kill('SIGTERM');
    const { code, messages } = await ended;
    assert.deepEqual(messages, ['up', 'a component failed to shut down cleanly', 'last', 'stopped']);
    assert.equal(code, 0);
  });

  it('exits by force with 1 when a stop hangs', async () => {
    const script = `lifecycle.onStop(() => new Promise(() => undefined)); ${STAY} say('up');`;
    const { child, logged, ended } = start(script, 0.2);
    await logged('up');
    child.kill('SIGTERM');
    const { code, messages } = await ended;
    assert.deepEqual(messages, ['up', 'shutdown timed out, forcing exit']);
    assert.equal(code, 1);
  });

  for (const [what, body] of [
    ['uncaught exception', `setTimeout(() => { throw new Error('lost'); }, 10);`],
    ['unhandled rejection', `Promise.reject(new Error('lost'));`],
  ] as const)
    it(`stops gracefully with 1 on an ${what}`, async () => {
      const { code, lines } = await start(`lifecycle.onStop(() => say('undone')); ${STAY} ${body}`).ended;
      const said = lines.map(({ message, error }) => [message, error?.message]);
      assert.deepEqual(said, [
        [what, 'lost'],
        ['undone', undefined],
      ]);
      assert.equal(code, 1);
    });

  it('repeats a job after failures, never concurrently, and waits for it before it stops', async () => {
    const { child, logged, ended } = start(`
      let count = 0, underWay = 0;
      lifecycle.every(0.01, 'the work', async () => {
        if (++underWay > 1) say('twice at once');
        count += 1;
        if (count === 1) { underWay -= 1; throw new Error('once'); }
        say('begins ' + count);
        await new Promise((done) => setTimeout(done, 100));
        underWay -= 1;
        say('ends ' + count);
      });`);
    await logged('begins 2');
    child.kill('SIGTERM');
    const { messages } = await ended;
    assert.deepEqual(messages, ['the work failed, retrying', 'begins 2', 'ends 2', 'stopped']);
  });
});

describe('runService', () => {
  const startWith = (settings: Record<string, string>) => {
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
    const child = startWith({ FIRST: 'canary', SECOND: 'canary' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 1);
    assert.equal(output.trimEnd().split('\n').length, 1, output);
    const { level, message, error } = JSON.parse(output) as Record<string, string>;
    assert.deepEqual([level, error], ['error', undefined]);
    for (const name of ['FIRST', 'SECOND']) assert.ok(message?.includes(name), name);
    assert.doesNotMatch(output, /canary/);
  });

  it('logs its port, becomes ready, and stops with exit code 0', async () => {
    const child = startWith({ FIRST: 'x'.repeat(32), SECOND: '2' });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    const line = JSON.parse(chunk.toString()) as { message: string; port: number; internalPort: number };
    assert.deepEqual([line.message, line.port], ['listening', 7]);
    assert.equal((await fetch(`http://127.0.0.1:${line.internalPort}/health/ready`)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});

describe('listen', () => {
  const reached = async (host: string): Promise<string[]> => {
    const server = createServer((_, response) => response.end('here'));
    const port = await listen(server, { host, port: 0 });
    const answers = ['127.0.0.1', '[::1]'].map(async (address) => {
      const answer = await fetch(`http://${address}:${port}/`).catch(() => undefined);
      return answer === undefined ? [] : [address];
    });
    const reachable = (await Promise.all(answers)).flat();
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
    return reachable;
  };

  it('listens at one address, or at every one of both families', async () => {
    assert.deepEqual(await reached('127.0.0.1'), ['127.0.0.1']);
    assert.deepEqual(await reached('0.0.0.0'), ['127.0.0.1']);
    assert.deepEqual(await reached('::1'), ['[::1]']);
    assert.deepEqual(await reached('::'), ['127.0.0.1', '[::1]']);
  });
});
