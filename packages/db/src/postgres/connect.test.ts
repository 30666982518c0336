import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endings, eventually, isCommitted, msOf, Proxy } from '@gatehouse/runtime/testing';
import { NO_DEADLINE, Unavailable, Unstorable } from '@gatehouse/runtime';
import { connectDb, inTransaction, query, type Db } from './connect.ts';
import { during, testDatabase } from '../testing/index.ts';

const POOL_MAX = 10;
const ANSWER_MS_MAX = 3500;
const CONNECT = fileURLToPath(new URL('./connect.ts', import.meta.url));

describe('the pool of connections', () => {
  /** A connection to the same database that bypasses the faulty proxy. */
  let sound: Db;
  let db: Db;
  let applicationName: string;
  const database = during(testDatabase);
  const proxy = during(() => Proxy.to(database.url));
  before(async () => {
    sound = database.db;
    await query(sound, 'create table note (id serial primary key, text text not null unique)');
  });
  beforeEach(async () => {
    await proxy.heal();
    applicationName = `pool-${randomBytes(4).toString('hex')}`;
    db = connectDb({ url: proxy.url, applicationName, poolMax: POOL_MAX });
    await atOnce(POOL_MAX, () => query(db, 'select pg_sleep(0.2)'));
  });
  afterEach(() => db.destroy());
  const atEnd = endings();

  const atOnce = <T>(count: number, start: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  const write = (executor: Parameters<typeof query>[0], text = randomBytes(8).toString('hex')) =>
    query<{ text: string }>(executor, 'insert into note (text) values (?) returning text', [text]);
  const isUnavailableInTime = async (start: () => Promise<unknown>): Promise<void> => {
    const ms = await msOf(() => assert.rejects(start, Unavailable));
    assert.ok(ms < ANSWER_MS_MAX, `${ms} ms`);
  };
  const states = async () => {
    const sql = 'select state from pg_stat_activity where application_name = ? and state is not null';
    return query.column<string>(sound, sql, [applicationName]);
  };
  /** No connection is stuck in a transaction, each works, and all acknowledged writes are visible to others. */
  const recovers = async (): Promise<void> => {
    await eventually(async () => (await states()).every((state) => !state.startsWith('idle in')), 2);
    const insertAll = () =>
      atOnce(POOL_MAX, () => inTransaction(db, NO_DEADLINE, (tx) => query(tx, 'select 1')));
    await eventually(insertAll, 3);
    const acknowledged = (await atOnce(4 * POOL_MAX, () => write(db))).flat();
    const texts = acknowledged.map(({ text }) => text);
    const found = await query(sound, 'select 1 from note where text = any(?)', [texts]);
    assert.equal(found.length, 4 * POOL_MAX);
    assert.ok((await states()).every((state) => !state.startsWith('idle in')));
    assert.ok((await states()).length <= POOL_MAX);
  };

  for (const [fault, begin] of [
    ['frozen', () => proxy.blackHole()],
    ['gone', () => proxy.reset()],
  ] as const) {
    it(`fails in time while Postgres is ${fault}, and recovers`, async () => {
      begin();
      for (let wave = 0; wave < 2; wave += 1) {
        await atOnce(2 * POOL_MAX, (index) =>
          isUnavailableInTime(() =>
            index % 4 === 0
              ? write(db)
              : inTransaction(db, NO_DEADLINE, (tx) => write(tx, `${fault} ${index}`)),
          ),
        );
      }
      await proxy.heal();
      await recovers();
      assert.deepEqual(await query(sound, 'select 1 from note where text like ?', [`${fault} %`]), []);
    });

    it(`does not wait for ROLLBACK when Postgres is ${fault} during transactions, and recovers`, async () => {
      let begun = 0;
      await atOnce(POOL_MAX, (index) =>
        isUnavailableInTime(() =>
          inTransaction(db, NO_DEADLINE, async (tx) => {
            await write(tx, `middle ${fault} ${index}`);
            begun += 1;
            if (begun === POOL_MAX) begin();
            await eventually(() => begun === POOL_MAX);
            await write(tx);
          }),
        ),
      );
      await proxy.heal();
      await recovers();
      assert.deepEqual(await query(sound, 'select 1 from note where text like ?', [`middle ${fault} %`]), []);
    });
  }

  it('waits for a starting Postgres with long timeouts', async () => {
    const slow = connectDb({ url: proxy.url, applicationName, poolMax: 1, hasLongTimeouts: true });
    atEnd(() => slow.destroy());
    proxy.reset();
    const asked = query(slow, 'select 1');
    await sleep(3000);
    await proxy.heal();
    assert.equal((await asked).length, 1);
  });

  it('recovers after a freeze shorter than any timeout', async () => {
    proxy.blackHole();
    const writes = atOnce(POOL_MAX, () => inTransaction(db, NO_DEADLINE, (tx) => write(tx)));
    await new Promise((resolve) => setImmediate(resolve));
    await proxy.heal();
    const texts = (await writes).flat().map(({ text }) => text);
    assert.equal((await query(sound, 'select 1 from note where text = any(?)', [texts])).length, POOL_MAX);
    await recovers();
  });

  for (const [what, fail] of [
    ['takes too long', 'select pg_sleep(4)'],
    ['ends its own session', 'select pg_terminate_backend(pg_backend_pid())'],
  ] as const)
    it(`recovers after a statement that ${what}, inside and outside a transaction`, async () => {
      await atOnce(POOL_MAX, (index) =>
        isUnavailableInTime(() =>
          index % 2 === 0
            ? query(db, fail)
            : inTransaction(db, NO_DEADLINE, async (tx) => {
                await write(tx, `${what} ${index}`);
                await query(tx, fail);
              }),
        ),
      );
      await recovers();
      assert.deepEqual(await query(sound, 'select 1 from note where text like ?', [`${what} %`]), []);
    });

  it('hands out no connection that was left inside a transaction', async () => {
    await atOnce(POOL_MAX, () => query(db, 'begin'));
    await atOnce(POOL_MAX, () => query(db, 'select 1'));
    await recovers();
  });

  it('reports statements after a failed one as errors, not as an outage', async () => {
    const failing = inTransaction(db, NO_DEADLINE, async (tx) => {
      await query(tx, 'select 1 / 0').catch(() => {});
      await query(tx, 'select 1');
    });
    await assert.rejects(failing, { code: '25P02' });
    await recovers();
  });

  it('rolls back a transaction that ends in a refusal, and returns the refusal', async () => {
    const text = randomBytes(8).toString('hex');
    const outcome = await inTransaction<string>(db, NO_DEADLINE, async (tx, rollBack) => {
      await write(tx, text);
      return rollBack('refused');
    });
    assert.equal(outcome, 'refused');
    assert.deepEqual(await query(sound, 'select text from note where text = ?', [text]), []);
    const fault = new Error('a bug');
    const failed = inTransaction(db, NO_DEADLINE, () => Promise.reject(fault));
    await assert.rejects(failed, fault);
  });

  it('acknowledges no transaction that COMMIT rolled back', async () => {
    const failing = inTransaction(db, NO_DEADLINE, async (tx) => {
      await write(tx, 'lost');
      await query(tx, 'select 1 / 0').catch(() => {});
    });
    await assert.rejects(failing, /COMMIT rolled it back/);
    assert.deepEqual(await query(sound, 'select 1 from note where text = ?', ['lost']), []);
    await recovers();
  });

  for (const [how, verdict] of [
    ['breaks', 'cut'],
    ['falls silent', 'hold'],
  ] as const)
    it(`acknowledges a transaction if its connection ${how} between COMMIT and the answer`, async () => {
      const { hostname: host, port } = new URL(database.url);
      const lossy = await Proxy.open({ host, port: Number(port) }, 'postgres');
      atEnd(() => lossy.close());
      const through = connectDb({ url: lossy.reroute(database.url), applicationName, poolMax: 2 });
      atEnd(() => through.destroy());
      let lost = 0;
      lossy.tap = ({ direction, frame }) => {
        if (direction !== 'down' || !isCommitted(frame)) return 'pass';
        lost += 1;
        return verdict;
      };
      const ms = await msOf(() => inTransaction(through, NO_DEADLINE, (tx) => write(tx, how)));
      assert.ok(ms < ANSWER_MS_MAX && lost === 1, `${ms} ms, ${lost} lost`);
      assert.equal((await query(sound, 'select 1 from note where text = ?', [how])).length, 1);
    });

  it('does not mistake a value that looks like an error for one', async () => {
    for (const text of ['aborted', 'Query read timeout', ' - Connection terminated'])
      await assert.rejects(query(db, 'select ?::integer', [text]), Unstorable);
    assert.equal((await states()).length, POOL_MAX);
  });

  it('ignores variables of other tools that the driver would read', async () => {
    const script = `const { connectDb, query } = await import(${JSON.stringify(CONNECT)});
const db = connectDb({ url: ${JSON.stringify(proxy.url)}, applicationName: 'foreign', poolMax: 1 });
console.log((await query(db, 'select 1')).length);
await db.destroy();`;
    const env = { PGOPTIONS: '-c statement_timeout=nonsense', PGREPLICATION: 'database' };
    const args = [...process.execArgv, '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    assert.equal(stdout, '1\n');
  });
});
