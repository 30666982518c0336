import assert from 'node:assert/strict';
import { eventually, Proxy } from '@gatehouse/runtime/testing';
import { Unavailable, withinSeconds } from '@gatehouse/runtime';
import { inTransaction, query, type Db, type Executor } from '../connect.ts';
import { during, testDatabase } from '../../testing/index.ts';

describe('the deadline of a transaction', () => {
  /** A connection to the same database that bypasses the faulty proxy. */
  let sound: Db;
  let db: Db;
  const database = during(testDatabase);
  const proxy = during(() => Proxy.to(database.url));
  before(async () => {
    sound = database.db;
    db = database.connect({ url: proxy.url, applicationName: 'deadline' });
    await query(sound, 'create table note (text text not null unique)');
  });
  beforeEach(() => query(sound, 'delete from note'));

  const write = (executor: Executor, text: string) =>
    query(executor, 'insert into note (text) values (?)', [text]);
  const notes = () => query.column<string>(sound, 'select text from note');
  const isIdle = async (): Promise<boolean> => {
    const sql = `select 1 from pg_stat_activity where application_name = 'deadline' and state <> 'idle'`;
    const rows = await query(sound, sql);
    return rows.length === 0;
  };

  it('does not write after waiting for a lock until the deadline', async () => {
    const holder = await sound.transaction();
    await write(holder, 'taken');
    const waiting = inTransaction(db, withinSeconds(0.5), (tx) => write(tx, 'taken'));
    const refused = assert.rejects(waiting, Unavailable);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await holder.rollback();
    await refused;
    assert.deepEqual(await notes(), []);
  });

  it('sends no statement, and begins none, once it is too late', async () => {
    let isBegun = false;
    await assert.rejects(
      inTransaction(db, withinSeconds(0.1), () => {
        isBegun = true;
        return Promise.resolve();
      }),
      Unavailable,
    );
    assert.equal(isBegun, false);
    let second: unknown;
    const work = inTransaction(db, withinSeconds(0.5), async (tx) => {
      await query(tx, 'select pg_sleep(0.6)');
      await query(tx, 'select 1').catch((error: unknown) => (second = error));
    });
    await assert.rejects(work, Unavailable);
    assert.ok(second instanceof Unavailable);
  });

  it('commits nothing that reaches Postgres after the deadline, as after a freeze', async () => {
    const work = inTransaction(db, withinSeconds(1), async (tx) => {
      await write(tx, 'late');
      proxy.blackHole();
    });
    await assert.rejects(work, Unavailable);
    await proxy.heal();
    await eventually(isIdle, 5);
    assert.deepEqual(await notes(), []);
  });

  it('commits in time, also after a freeze', async () => {
    await inTransaction(db, withinSeconds(2), async (tx) => {
      await write(tx, 'in time');
      proxy.blackHole();
      setTimeout(() => void proxy.heal(), 300);
    });
    assert.deepEqual(await notes(), ['in time']);
  });

  it('treats an invalid deadline as expired', async () => {
    const endless = inTransaction(db, { dueAt: Number.NaN }, (tx) => write(tx, 'never'));
    await assert.rejects(endless, Unavailable);
    assert.deepEqual(await notes(), []);
  });
});
