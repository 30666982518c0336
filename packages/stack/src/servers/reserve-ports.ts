import { connect, createServer } from 'node:net';
import { StackError } from '../output/stack-error.ts';

/** Below the ports that the system hands out by itself; none that browsers refuse is among them. */
const FIRST = 10_240;
const BLOCKS = 280;
/** Of these the first is the guard. */
const BLOCK_SIZE = 64;

/**
 * Up to 63 ports that nothing listens on, for as long as this process runs. They are one block, whose first port the
 * process listens on: so processes that ask at the same time get different blocks, and a server that is started again
 * finds its port still free.
 *
 * @throws {StackError} when every block is taken.
 */
export async function reservePorts(count: number): Promise<number[]> {
  const start = Math.floor(Math.random() * BLOCKS);
  for (let step = 0; step < BLOCKS; step++) {
    const guard = FIRST + ((start + step) % BLOCKS) * BLOCK_SIZE;
    const release = await listen(guard);
    if (release === undefined) continue;
    const ports = Array.from({ length: count }, (_, index) => guard + 1 + index);
    const busy = await Promise.all(ports.map(isBusy));
    if (!busy.includes(true)) return ports;
    release();
  }
  throw new StackError(
    `Every block of ports from ${FIRST} to ${FIRST + BLOCKS * BLOCK_SIZE - 1} is taken`,
    'Stop processes that earlier test runs left behind and try again.',
  );
}

/** Whether something listens on that port of 127.0.0.1. */
export async function isBusy(port: number): Promise<boolean> {
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 500 });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(true));
  });
  if (answers) return true;
  const release = await listen(port);
  release?.();
  return release === undefined;
}

/** Without keeping the process alive; undefined when somebody else listens there. */
function listen(port: number): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(() => void server.close()));
    server.unref();
  });
}
