import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { Unavailable } from '@gatehouse/runtime';
import { endings, eventually, testLog } from '@gatehouse/runtime/testing';
import { createPasswordPool, THREAD_NICENESS, UnfinishedCheck } from './password-pool.ts';
import type { Passwords } from './passwords.ts';
import { useQuickPasswords } from '../testing/index.ts';

describe('the threads that hash passwords', () => {
  const atEnd = endings();
  let passwords: Passwords;
  const opened = useQuickPasswords();
  before(() => (passwords = opened()));

  it('hashes eight at once without blocking the event loop', async () => {
    const costly = opened({ cost: 9, threads: 2 });
    await costly.hash('warm up');
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await Promise.all(Array.from({ length: 8 }, (_, i) => costly.hash(`password ${i}`)));
    clearInterval(timer);
    // Counted instead of timed: on the main thread, a turn would come only after each hash or each 100 ms of one.
    assert.ok(turns > 60, `${turns} turns`);
  });

  // Elsewhere a priority is the whole process's.
  if (process.platform === 'linux') {
    it('hashes with less priority than everything else has', async () => {
      await opened({ niceness: undefined }).verifyNothing('whatever');
      const own = process.pid.toString();
      const nice = new Map(readdirSync('/proc/self/task').map((thread) => [thread, niceOf(thread)]));
      assert.equal(nice.get(own), getPriority());
      const values = [...nice.values()];
      assert.ok(values.includes(getPriority() + THREAD_NICENESS), values.join());
    });
  }

  it('refuses work beyond its queue, and does the rest', async () => {
    const small = opened({ cost: 8, queueMax: 2 });
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((i) => small.hash(`password ${i}`)));
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 2);
    for (const { reason } of refused)
      assert.ok(reason instanceof Unavailable && !(reason instanceof UnfinishedCheck));
  });

  const networks = {
    'one address': () => '203.0.113.7',
    'one /24': (at: number) => `203.0.113.${at}`,
    'one /48': (at: number) => `2001:db8:1:${at}::/64`,
  };
  for (const [network, addressOf] of Object.entries(networks))
    it(`give ${network} all places while nobody else waits, and others a place and the next turn`, async () => {
      const pool = opened({ queueMax: 16 });
      const ended: string[] = [];
      const hash = (from: string, who: string) =>
        pool
          .from(from)
          .hash('correct horse')
          .then(() => ended.push(who));
      const flood = Array.from({ length: 30 }, (_, at) => hash(addressOf(at + 1), 'flood'));
      assert.deepEqual(pool.load(), { running: 1, waiting: 16 });
      const refused = assert.rejects(pool.from(addressOf(31)).requirePlace(), Unavailable);
      await pool.from('192.0.2.1').requirePlace();
      const others = ['198.51.100.1', '2001:db8:2:1::/64'].map((from) => hash(from, 'other'));
      const [results] = await Promise.all([Promise.allSettled(flood), Promise.all(others), refused]);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 15);
      assert.deepEqual(ended.slice(0, 4).toSorted(), ['flood', 'flood', 'other', 'other']);
    });

  it('report that work was not started when the queue is full', async () => {
    const text = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64url');
    const hash = `$gh$50$argon2id,19,65536,1,1,32$${text(16)}$${text(32)}`;
    const checks = Array.from({ length: 30 }, () => passwords.verify('wrong', { hash, scheme: 'foreign' }));
    const refused = (await Promise.allSettled(checks)).filter((result) => result.status === 'rejected');
    assert.ok(refused.length >= 4 && refused.length < 30);
    for (const { reason } of refused) assert.ok(reason instanceof UnfinishedCheck && !reason.wasBegun);
  });

  it('report that work was started when it takes too long', async () => {
    let ended = 0;
    const note = (worker: Worker) => void worker.once('exit', () => (ended += 1));
    process.once('worker', note);
    const pool = createPasswordPool({ threads: 1, cost: 4, log: testLog() });
    atEnd(() => pool.close());
    const check = pool.compare('wrong', `$2b$18$${'Gatehouse.'.repeat(6).slice(0, 53)}`);
    await assert.rejects(check, (error) => error instanceof UnfinishedCheck && error.wasBegun);
    assert.equal(pool.load().running, 1, 'its place is taken until its thread has ended');
    // Only then closed: Piscina replaces a thread whose end it hears of after that.
    await eventually(() => ended === 1);
    await eventually(() => pool.load().running === 0);
  }).timeout(20_000);

  it('replaces a thread that dies, failing only the job that it had', async () => {
    const workers: Worker[] = [];
    const note = (worker: Worker) => void workers.push(worker);
    process.on('worker', note);
    const mortal = opened({ cost: 10 });
    await eventually(() => workers.length === 1);
    process.off('worker', note);
    await eventually(() => mortal.hash('warm up'), 60);
    const lost = mortal.hash('correct horse');
    const next = mortal.verifyNothing('correct horse');
    await workers[0]?.terminate();
    await assert.rejects(lost, (error) => {
      assert.ok(error instanceof Unavailable);
      assert.ok(!JSON.stringify([error.message, String(error.cause)]).includes('correct horse'));
      return true;
    });
    assert.equal(await next, false);
  });
});

/** The priority of a thread of this process, of -20 to 19 the lower the more it gets (proc(5), stat). */
function niceOf(thread: string): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}
