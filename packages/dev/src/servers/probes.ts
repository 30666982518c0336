import { connect } from 'node:net';
import { query } from '@gatehouse/db';
import { withDatabase } from './database.ts';

export async function answersHttp(url: string, status?: number): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1500) });
    await response.arrayBuffer();
    return status === undefined || response.status === status;
  } catch {
    return false;
  }
}

export function answersRedis(port: number, password: string): Promise<boolean> {
  return exchange(port, `AUTH ${password}\r\nPING\r\n`, (answer) => answer.includes('+PONG'));
}

/** Whether RabbitMQ accepts AMQP connections: its first frame is `Connection.Start` (class 10, method 10). */
export function answersAmqp(port: number): Promise<boolean> {
  const start = '\x00\x0a\x00\x0a';
  return exchange(port, 'AMQP\x00\x00\x09\x01', (answer) => answer.slice(7, 11) === start);
}

export async function answersPostgres(url: string): Promise<boolean> {
  const asked = withDatabase(url, (db) => query(db, 'select 1'), false);
  return await asked.then(
    () => true,
    () => false,
  );
}

/** Sends `words` and waits up to a second for an acceptable answer. */
async function exchange(port: number, words: string, willDo: (answer: string) => boolean): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', timeout: 1000 }).setEncoding('latin1');
  socket.once('timeout', () => socket.destroy()).write(words, 'latin1');
  let answer = '';
  try {
    for await (const chunk of socket) {
      answer += String(chunk);
      if (willDo(answer)) return true;
    }
  } catch {
    // It refuses connections, or closed this one.
  }
  return false;
}
