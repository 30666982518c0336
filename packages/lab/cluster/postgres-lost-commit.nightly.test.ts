import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { Unavailable } from '@gatehouse/runtime';
import { during, eventually, isCommitted, Proxy } from '@gatehouse/runtime/testing';
import { privatePostgresPair } from '@gatehouse/dev/testing';
import { withDb } from '../database.ts';
import { isNotAcknowledged, withWaiting, write } from './standby-writes.ts';

describe('a COMMIT to a synchronous standby whose response is lost', () => {
  const pair = during(privatePostgresPair);
  const proxy = during(() => Proxy.open({ port: Number(new URL(pair.url).port) }, 'postgres'));

  /** As an operator does if connections seem to be stuck, or a server that shuts down. */
  const end = () => withWaiting(pair.url, 'pg_terminate_backend(pid)');
  const exists = async (table: string): Promise<boolean> => {
    const found = `select to_regclass('${table}') is not null`;
    return (await withDb(pair.url, (db) => query.value<boolean>(db, found))) ?? false;
  };

  it('is acknowledged if the standby has it, even if every response to a COMMIT is lost', async () => {
    proxy.tap = ({ direction, frame }) => (direction === 'down' && isCommitted(frame) ? 'cut' : 'pass');
    await write(proxy.reroute(pair.url), 'confirmed');
    assert.ok(await exists('confirmed'));
  });

  describe('while the network between the servers is split', () => {
    beforeEach(() => pair.split());
    afterEach(() => pair.mend());

    const isOnOneServer = async (table: string, meanwhile: () => Promise<unknown>): Promise<void> => {
      await isNotAcknowledged(pair.url, table, meanwhile);
      // It would be lost with this server.
      assert.ok(await exists(table));
    };

    it('is not acknowledged if its connection is terminated', () => isOnOneServer('ended', end));

    it('is not acknowledged if the query for its outcome is cancelled, too', () =>
      isOnOneServer('ended_and_cancelled', async () => {
        await end();
        await withWaiting(pair.url, 'pg_cancel_backend(pid)');
      }));

    it('is acknowledged if the standby receives it during the query for its outcome', async () => {
      const written = write(pair.url, 'confirmed_late');
      await end();
      await withWaiting(pair.url, 'pid');
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
      await assert.rejects(write(both, 'on_the_former_one'), Unavailable);
      await pair.hold('postgres');
      await eventually(() => write(both, 'on_the_new_one').then(() => true));
      assert.deepEqual([await exists('on_the_former_one'), await exists('on_the_new_one')], [false, true]);
    });
  });
});
