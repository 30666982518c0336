import assert from 'node:assert/strict';
import { connectDb, inTransaction, query, type Db } from '@gatehouse/db';
import { NO_DEADLINE, Unavailable } from '@gatehouse/runtime';
import { eventually, isCommitted, Proxy } from '@gatehouse/runtime/testing';
import { privatePostgresPair, type PrivatePostgresPair } from '@gatehouse/dev/testing';

const ANSWER_MS = 5000;

describe('a COMMIT to a synchronous standby whose response is lost', function () {
  this.timeout(60_000);
  let pair: PrivatePostgresPair;
  let proxy: Proxy;
  before(async () => {
    pair = await privatePostgresPair();
    proxy = await Proxy.open({ port: Number(new URL(pair.url).port) }, 'postgres');
  });
  after(async () => {
    await proxy?.close();
    await pair?.stop();
  });

  const withDb = async <T>(name: string, use: (db: Db) => Promise<T>, url = pair.url): Promise<T> => {
    const db = connectDb({ url, applicationName: name, poolMax: 2 });
    try {
      return await use(db);
    } finally {
      await db.destroy();
    }
  };
  const write = (table: string, url?: string) =>
    withDb(
      'write',
      (db) => inTransaction(db, NO_DEADLINE, (tx) => query(tx, `create table ${table} (id integer)`)),
      url,
    );
  /** Selects this expression for each connection that waits for the standby, as soon as there is one. */
  const withWaiting = (what: string) =>
    withDb('operator', (db) =>
      eventually(async () => {
        const does = `select ${what} from pg_stat_activity
          where application_name = 'write' and wait_event = 'SyncRep'`;
        return (await query(db, does)).length > 0;
      }),
    );
  /**
   * Terminates the connections that wait, as an operator does if they seem to be stuck, or a server that shuts down.
   */
  const end = () => withWaiting('pg_terminate_backend(pid)');
  const exists = async (table: string): Promise<boolean> => {
    const found = `select to_regclass('${table}') is not null as found`;
    const [row] = await withDb('reader', (db) => query<{ found: boolean }>(db, found));
    return row?.found ?? false;
  };
  const loseAnswers = (): void => {
    proxy.tap = ({ direction, frame }) => (direction === 'down' && isCommitted(frame) ? 'cut' : 'pass');
  };

  it('is acknowledged if the standby has it, even if every response to a COMMIT is lost', async () => {
    loseAnswers();
    await write('confirmed', proxy.reroute(pair.url));
    assert.ok(await exists('confirmed'));
  });

  describe('while the network between the servers is split', () => {
    beforeEach(() => pair.split());
    afterEach(() => pair.mend());

    const isNotAcknowledged = async (table: string, meanwhile: () => Promise<unknown>): Promise<void> => {
      const begun = performance.now();
      await Promise.all([assert.rejects(write(table), Unavailable), meanwhile()]);
      assert.ok(performance.now() - begun < ANSWER_MS, `${performance.now() - begun} ms`);
      // It exists only on one server, and would be lost with it.
      assert.ok(await exists(table));
    };

    it('is not acknowledged if its connection is terminated', () => isNotAcknowledged('ended', end));

    it('is not acknowledged if the query for its outcome is cancelled, too', () =>
      isNotAcknowledged('ended_and_cancelled', async () => {
        await end();
        await withWaiting('pg_cancel_backend(pid)');
      }));

    it('is acknowledged if the standby receives it during the query for its outcome', async () => {
      const written = write('confirmed_late');
      await end();
      await withWaiting('pid');
      await Promise.all([written, pair.mend()]);
      assert.ok(await exists('confirmed_late'));
    });
  });

  describe('when the standby takes over meanwhile', () => {
    it('is lost with the former server, and was not acknowledged there', async () => {
      const both = pair.withBoth(pair.url);
      pair.split();
      await pair.promote();
      // The former primary still accepts writes, because it does not know about the promotion.
      await assert.rejects(write('on_the_former_one', both), Unavailable);
      await pair.hold('postgres');
      await eventually(() => write('on_the_new_one', both).then(() => true));
      assert.deepEqual([await exists('on_the_former_one'), await exists('on_the_new_one')], [false, true]);
    });
  });
});
