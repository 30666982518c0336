import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, startStack } from '@gatehouse/dev';
import type { Bench, Figure, Row } from '../row.ts';
import { median } from '../load/rounds.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export const coldStart: Row = {
  name: 'cold-start',
  limits: `Most of npm start is the start of RabbitMQ.`,
  measure: async (bench) => [await ofService(bench), await ofEverything(bench)],
};

async function ofService(bench: Bench): Promise<Figure> {
  const { stack } = await bench.system();
  const times: number[] = [];
  for (let round = 0; round < bench.sizes.rounds; round++) {
    bench.signal.throwIfAborted();
    await stack.hold('core');
    times.push(await seconds(() => stack.release('core')));
  }
  const detail = `median of ${times.map((time) => time.toFixed(2)).join(', ')} s, of Core`;
  const title = 'from the start of a service until it is ready';
  return { id: 'cold-start', title, value: median(times), unit: 's', bar: { atMost: 0.4 }, detail };
}

/**
 * Measures `npm start` in a separate folder, so that a running stack is not affected: first npm and Node until it has
 * read its arguments, then the system, with data and secrets from an earlier start.
 */
async function ofEverything(bench: Bench): Promise<Figure> {
  const { signal } = bench;
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-test-bench-'));
  bench.onEnd(() => rmSync(directory, { recursive: true, force: true }));
  const ports = await freePorts();
  const first = await startStack({ directory, ports, signal });
  await first.stop();
  const launch = await seconds(async () => {
    const child = spawn('npm', ['start', '--', '--scale', 'none'], { cwd: ROOT, stdio: 'ignore' });
    await once(child, 'exit');
  });
  const start = await seconds(async () => {
    const stack = await startStack({ directory, ports, signal });
    bench.onEnd(() => stack.stop());
  });
  const detail = `${launch.toFixed(1)} s until it has read its arguments, ${start.toFixed(1)} s until everything is ready`;
  const title = '`npm start` with the servers installed';
  return { id: 'npm-start', title, value: launch + start, unit: 's', bar: { atMost: 5 }, detail };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
