import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { nodeArguments } from '../testing/node-process.ts';
import { isBusy, reservePorts } from './ports.ts';

describe('reservePorts', () => {
  it('reserves no port twice, within and across processes', async () => {
    const here = await Promise.all(Array.from({ length: 8 }, () => reservePorts(40)));
    const there = await Promise.all(Array.from({ length: 2 }, reserveInOtherProcess));
    const all = [...here, ...there.map(({ ports }) => ports)].flat();
    assert.equal(all.length, 10 * 40);
    assert.equal(new Set(all).size, all.length);
    for (const { end } of there) await end();
  });

  it('skips ports in use', async () => {
    const [port = 0] = await reservePorts(1);
    assert.equal(await isBusy(port), false);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    assert.equal(await isBusy(port), true);
    server.close();
  });
});

/** A process that reserves ports until it is stopped. */
async function reserveInOtherProcess(): Promise<{ ports: number[]; end(): Promise<unknown> }> {
  const script = new URL('./ports.ts', import.meta.url).href;
  const child = spawn(
    process.execPath,
    [
      ...nodeArguments('--input-type=module'),
      '--eval',
      `import { reservePorts } from '${script}';
       console.log(JSON.stringify(await reservePorts(40)));
       setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    ports: JSON.parse(line.toString()) as number[],
    end: () => {
      child.kill('SIGKILL');
      return once(child, 'close');
    },
  };
}
