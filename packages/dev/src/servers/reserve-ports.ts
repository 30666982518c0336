import { connect, createServer } from 'node:net';
import { StackError } from '../command.ts';

/** Below the range from which the system assigns ports. The blocks contain no port that browsers refuse. */
const FIRST = 10_240;
const BLOCKS = 280;
/** The first port of each block is its guard. */
const BLOCK_SIZE = 64;

/**
 * Up to 63 ports that nothing listens on, reserved while this process runs. They form one block, on whose first port
 * the process listens. So processes that call this at the same time get different blocks, and a restarted server finds
 * its port still free.
 *
 * @throws {StackError} if every block is taken.
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

/**
 * Whether something listens on this port of 127.0.0.1. Checks twice: on macOS a second listener can bind 127.0.0.1
 * although another listens on all addresses.
 */
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

/** Listens without keeping the process alive. Undefined if another process listens on the port. */
function listen(port: number): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(() => void server.close()));
    server.unref();
  });
}
