import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { during, eventually } from '../testing/index.ts';
import { Counter, createInternalServer, createMetrics, measureProcess } from './internal-server.ts';
import type { ReadinessChecks } from './internal-server.ts';

describe('the internal server', () => {
  let stopping = false;
  const checks: ReadinessChecks = {};
  const metrics = createMetrics('test');
  measureProcess(metrics);

  const server = during(() => {
    const isStopping = (): boolean => stopping;
    return createInternalServer({ host: '127.0.0.1', port: 0, metrics, checks, isStopping });
  });
  beforeEach(() => {
    stopping = false;
    checks['postgres'] = async () => undefined;
    checks['redis'] = async () => 'PONG';
  });

  const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  const readiness = async () => {
    const answer = await get('/health/ready');
    return { status: answer.status, body: await answer.json() };
  };

  it('is live as long as it responds, even with missing dependencies', async () => {
    checks['postgres'] = () => Promise.reject(new Error('down'));
    const answer = await get('/health/live');
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { status: 'live' });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  it('reports the lag of the event loop, measured every 50 ms', async () => {
    const leastLag = /^nodejs_eventloop_lag_min_seconds\S* (\S+)/m;
    const seconds = await eventually(async () => {
      // Each answer begins a new measurement, which needs two turns of the timer.
      await sleep(200);
      const least = Number(leastLag.exec(await (await get('/metrics')).text())?.[1]);
      // Before the first measurement, it is the largest possible number.
      return least < 1 && least;
    });
    assert.ok(seconds > 0.04, `${seconds} s`);
  });

  for (const [what, down, isStopping] of [
    ['when every dependency is ready', false, false],
    ['not without one of them, which it names', true, false],
    ['not as soon as it stops', false, true],
  ] as const)
    it(`is ready ${what}`, async () => {
      if (down) checks['postgres'] = () => Promise.reject(new Error('down'));
      stopping = isStopping;
      const ready = !down && !isStopping;
      const body = { ready, stopping, checks: { postgres: !down, redis: true } };
      assert.deepEqual(await readiness(), { status: ready ? 200 : 503, body });
    });

  it('does not wait for a hanging check, and survives its late failure', async () => {
    let fail: (error: Error) => void = () => undefined;
    checks['redis'] = () => new Promise((_resolve, reject) => (fail = reject));
    const { status, body } = await readiness();
    assert.equal(status, 503);
    assert.deepEqual((body as { checks: unknown }).checks, { postgres: true, redis: false });
    fail(new Error('late'));
    await new Promise(setImmediate);
  });

  it('serves metrics of the process', async () => {
    new Counter({ name: 'mails_total', help: 'mails', registers: [metrics] }).inc(3);
    const answer = await get('/metrics');
    const text = await answer.text();
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=/);
    assert.match(text, /^mails_total\{service="test"\} 3$/m);
    assert.match(text, /^process_cpu_seconds_total\{/m);
  });

  it('answers probes that ask by HEAD or add a query', async () => {
    checks['postgres'] = () => Promise.reject(new Error('down'));
    for (const [path, status] of [
      ['/health/live?t=1', 200],
      ['/health/ready?t=1', 503],
      ['/metrics?x', 200],
    ] as const) {
      assert.equal((await get(path)).status, status, path);
      const head = await get(path, 'HEAD');
      assert.deepEqual([head.status, await head.text()], [status, ''], path);
    }
  });

  it('refuses other paths and methods', async () => {
    assert.equal((await get('/')).status, 404);
    assert.equal((await get('/health/ready/')).status, 404);
    const answer = await get('/health/live', 'POST');
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD']);
  });
});
