import assert from 'node:assert/strict';
import { inTransaction, query } from '@gatehouse/db';
import { Unavailable, NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import type { TestAccounts } from '../../testing/index.ts';
import { activeOf, openRotations, successorIn, type Rotations } from '../../testing/rotations.ts';

describe('refresh tokens whose sessions are locked', () => {
  let rotations: Rotations;
  before(async () => {
    rotations = await openRotations();
  });
  after(() => rotations.stop());

  const openMany = (length: number) => Promise.all(Array.from({ length }, rotations.open));

  it('are processed in order of arrival within one session', async () => {
    const { first } = await rotations.open();
    const second = await rotations.next(first);
    const [slower, third, slowest] = await Promise.all([
      rotations.use(first),
      rotations.use(second),
      rotations.use(first),
    ]);
    assert.deepEqual([successorIn(slower), successorIn(slowest)], [second, second]);
    assert.equal(successorIn(third), await rotations.next(second));
  });

  it('return one identical successor on two instances that process them in opposite orders', async () => {
    const sessions = await openMany(40);
    let tokens = sessions.map(({ first }) => first);
    for (let round = 0; round < 5; round += 1) {
      const [here, there] = await Promise.all([
        Promise.all(tokens.map((token) => rotations.use(token))),
        Promise.all(tokens.toReversed().map((token) => rotations.use(token, rotations.secondInstance))),
      ]);
      assert.deepEqual(here.map(successorIn), there.toReversed().map(successorIn));
      tokens = here.map(successorIn);
    }
  });

  it('hold no lock while they wait for another, and delay only the session that is locked', async () => {
    const [locked, ...others] = await openMany(10);
    assert.ok(locked);
    const lock = 'select id from user_session where id = any(?::uuid[]) for update';
    const held = await inTransaction(rotations.secondInstance.db, NO_DEADLINE, async (tx) => {
      await query(tx, lock, [[locked.sessionId]]);
      const mine = rotations.use(locked.first);
      const theirs = await Promise.all(others.map(({ first }) => rotations.use(first)));
      assert.equal(new Set(theirs.map(successorIn)).size, others.length);
      await eventually(async () => (await waitingForLocks(rotations.app)) === 1);
      // If the waiting statement still had one of these locks, this would be a deadlock.
      await query(tx, `${lock} nowait`, [others.map(({ sessionId }) => sessionId)]);
      return { mine };
    });
    assert.notEqual(successorIn(await held.mine), locked.first);
  });

  it('do not wait for a slow statement', async () => {
    const [one, ...others] = await openMany(4);
    assert.ok(one);
    await atUpdate(rotations.app, `if old.id = '${one.sessionId}' then perform pg_sleep(2); end if;`);
    try {
      const slow = rotations.use(one.first);
      await eventually(async () => (await sleeping(rotations.app)) === 1);
      await Promise.all(others.map(({ first }) => rotations.next(first)));
      assert.equal(await sleeping(rotations.app), 1);
      successorIn(await slow);
    } finally {
      await rotations.app.db.raw('drop function at_update cascade');
    }
  });

  it('fail together if their statement fails, without ending sessions, and work again afterwards', async () => {
    const sessions = await openMany(8);
    const tokens = await Promise.all(sessions.map(({ first }) => rotations.next(first)));
    const poisoned = sessions[3];
    assert.ok(poisoned);
    await atUpdate(
      rotations.app,
      `if old.id = '${poisoned.sessionId}' then raise exception 'no space is left' using errcode = '53100'; end if;`,
    );
    try {
      rotations.forgetStatements();
      const outcomes = await Promise.allSettled(tokens.map((token) => rotations.use(token)));
      assert.equal(rotations.batches(), 1);
      for (const outcome of outcomes) {
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof Unavailable);
      }
    } finally {
      await rotations.app.db.raw('drop function at_update cascade');
    }
    assert.ok((await activeOf(rotations.app, sessions)).every(Boolean));
    const again = await Promise.all(sessions.map(({ first }) => rotations.next(first)));
    assert.deepEqual(again, tokens, 'nothing had been adopted');
  });
});

/** Makes Postgres run `work` before it updates a session's row. */
async function atUpdate(app: TestAccounts, work: string): Promise<void> {
  await app.db.raw(`
    create function at_update() returns trigger language plpgsql as
      $$ begin ${work} return new; end $$;
    create trigger at_update before update on user_session for each row execute function at_update()`);
}

const waitingForLocks = (app: TestAccounts) => count(app, "wait_event_type = 'Lock'");
const sleeping = (app: TestAccounts) => count(app, "wait_event = 'PgSleep'");

async function count(app: TestAccounts, condition: string): Promise<number> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and ${condition}`;
  return (await query(app.db, sql)).length;
}
