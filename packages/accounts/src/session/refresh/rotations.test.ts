import assert from 'node:assert/strict';
import { inTransaction, query } from '@gatehouse/db';
import { during, untilWaiting } from '@gatehouse/db/testing';
import { NO_DEADLINE, Unavailable } from '@gatehouse/runtime';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { refresh, type Refreshing } from './refresh.ts';
import { logout } from '../logout.ts';
import { atOnce, logIn, newAccount, openTestAccounts, whileTriggered } from '../../testing/index.ts';
import type { AccountRef, TestAccounts } from '../../testing/index.ts';

const EXPIRE_OVERTAKEN = `update user_session
  set refresh_overtaken_at = array(select unnest(refresh_overtaken_at) - interval '31 seconds')
  where id = ?`;

interface Opened {
  person: AccountRef;
  sessionId: string;
  first: string;
}

describe('refresh tokens that are used together', () => {
  const rotations = during(openRotations);

  const expireOvertaken = ({ sessionId }: Opened) => query(rotations.app.db, EXPIRE_OVERTAKEN, [sessionId]);

  /** Ends the grace period of the successor that the current token was answered with. */
  const expireNext = async (session: Opened): Promise<void> => {
    await expireOvertaken(session);
    const sql = `update user_session set refresh_next_at = refresh_next_at - interval '31 seconds' where id = ?`;
    await query(rotations.app.db, sql, [session.sessionId]);
  };

  /** A thief has copied the owner's token, and both use the current one, further apart than the grace period. */
  const refreshApart = async () => {
    const session = await rotations.open();
    let shared = session.first;
    // Within the grace period, they are treated like two tabs of one client.
    for (let round = 0; round < 2; round += 1) {
      const given = await rotations.next(shared);
      assert.equal(await rotations.next(shared), given);
      shared = given;
    }
    const mine = await rotations.next(shared);
    await expireNext(session);
    const theirs = await rotations.next(shared);
    assert.notEqual(mine, theirs);
    return { session, mine, theirs };
  };

  it('get the same responses as alone: fresh, adopted, replaced, stolen, ended, of no session, of a disabled account', async () => {
    const { open } = rotations;
    const opened = await Promise.all([open(), open(), open(), open(), open(), open()]);
    const [kept, adopted, overtaken, stolen, ended, disabled] = opened;
    const [newToken, newest] = [await rotations.next(adopted.first), await rotations.next(overtaken.first)];
    await rotations.next(newest);
    await rotations.next(await rotations.next(stolen.first));
    await expireOvertaken(stolen);
    const origin = { traceId: 'test', dueAt: Infinity };
    await logout(rotations.app, { accountId: ended.person.id, sessionId: ended.sessionId }, origin);
    await query(rotations.app.db, 'update account set is_disabled = true where id = ?', [disabled.person.id]);
    rotations.forgetStatements();

    const { use, app } = rotations;
    const ofNobody = app.refreshTokens.issue(newId(), app.refreshTokens.newNonce());
    const used = [kept.first, newToken, overtaken.first, stolen.first, ended.first, disabled.first, ofNobody];
    const answers = await Promise.all(used.map((token) => use(token)));

    assert.equal(rotations.batches(), 1);
    const tokens = answers.map((answer) =>
      answer.kind === 'refreshed' ? answer.tokens.RefreshToken : answer,
    );
    assert.deepEqual(tokens.slice(2), [
      newest,
      { kind: 'refused', code: 'session_deactivated' },
      { kind: 'refused', code: 'session_ended' },
      { kind: 'condition', condition: 3 },
      { kind: 'refused', code: 'token_invalid' },
    ]);
    assert.deepEqual(tokens.slice(0, 2), [await rotations.next(kept.first), await rotations.next(newToken)]);
    const whose = await Promise.all(answers.slice(0, 2).map((answer) => sessionOf(rotations.app, answer)));
    assert.deepEqual(whose, [kept.sessionId, adopted.sessionId]);
    const active = await activeOf(rotations.app, [kept, adopted, overtaken, stolen]);
    assert.deepEqual(active, [true, true, true, false]);
  });

  it('detect theft when thief and owner both continue with the tokens that they received', async () => {
    const { session, mine, theirs } = await refreshApart();
    // The first of the two makes its own token the current one; the other one's token becomes invalid.
    assert.equal((await rotations.use(theirs)).kind, 'refreshed');
    assert.deepEqual(await rotations.use(mine), { kind: 'refused', code: 'session_deactivated' });
    assert.deepEqual(await rotations.use(theirs), { kind: 'refused', code: 'session_deactivated' });
    assert.deepEqual(await activeOf(rotations.app, [session]), [false]);
    const mails = await rotations.app.mailsTo(session.person.email);
    assert.deepEqual(fieldsOf(mails, 'type'), ['refresh-token.reused']);
  });

  it('end the session when a replaced token is used, even before its successor was used', async () => {
    const { session, mine } = await refreshApart();
    assert.deepEqual(await rotations.use(mine), { kind: 'refused', code: 'session_deactivated' });
    assert.deepEqual(await activeOf(rotations.app, [session]), [false]);
  });

  it('keep working for a client that lost responses, and for one that keeps its first token', async () => {
    const session = await rotations.open();
    const given = new Set<string>();
    for (let time = 0; time < 5; time += 1) {
      given.add(await rotations.next(session.first));
      await expireNext(session);
    }
    assert.equal(given.size, 5);
    const latest = await rotations.next(session.first);
    assert.notEqual(await rotations.next(latest), latest);
    assert.equal(await rotations.next(session.first), latest, 'overtaken, and answered for the grace');
    assert.deepEqual(await activeOf(rotations.app, [session]), [true]);
  });

  it('return one identical fresh successor to a hundred concurrent requests on two instances', async () => {
    const session = await rotations.open();
    const first = await rotations.next(session.first);
    await expireNext(session);
    const instances = [rotations.app, rotations.secondInstance];
    const answers = await atOnce(100, (index) => rotations.use(session.first, instances[index % 2]));
    const successors = new Set(answers.map(successorIn));
    assert.equal(successors.size, 1);
    assert.ok(!successors.has(first));
    const [successor = ''] = successors;
    assert.equal(await rotations.next(session.first), successor, 'the grace starts over');
    assert.notEqual(await rotations.next(successor), successor);
  });

  it('share one rotation where they are the same', async () => {
    const { first } = await rotations.open();
    const second = await rotations.next(first);
    rotations.forgetStatements();
    const answers = await atOnce(100, () => rotations.use(second));
    assert.equal(new Set(answers.map(successorIn)).size, 1);
    assert.equal(rotations.batches(), 1);
  });

  it('keep only the replaced tokens that are still valid, unchanged', async () => {
    const session = await rotations.open();
    const tokens = [session.first];
    const adopt = async () => tokens.push(await rotations.next(tokens.at(-1) ?? ''));
    const nonces = `select cardinality(refresh_overtaken) || ' ' || cardinality(refresh_overtaken_at)
      from user_session where id = ?`;
    const overtaken = () => query.value(rotations.app.db, nonces, [session.sessionId]);
    // The first use of a login's token does not adopt a new one.
    for (let time = 0; time < 6; time += 1) await adopt();
    assert.equal(await overtaken(), '5 5');
    for (const first of [2, 1]) {
      const sql = `update user_session set refresh_overtaken_at[1:?] =
           array(select unnest(refresh_overtaken_at[1:?]) - interval '31 seconds')
         where id = ?`;
      await query(rotations.app.db, sql, [first, first, session.sessionId]);
      await adopt();
      assert.equal(await overtaken(), '4 4');
    }
    for (const place of [3, 4, 5, 6, 7])
      assert.equal(await rotations.next(tokens[place] ?? ''), tokens[place + 1]);
    await expireOvertaken(session);
    await adopt();
    assert.equal(await overtaken(), '1 1');
    assert.equal(await rotations.next(tokens.at(-3) ?? ''), tokens.at(-2));
    assert.deepEqual(await rotations.use(tokens[3] ?? ''), { kind: 'refused', code: 'session_deactivated' });
  });
});

describe('refresh tokens whose sessions are locked', () => {
  const rotations = during(openRotations);

  const openMany = async (length: number) => {
    const opened: Opened[] = [];
    while (opened.length < length) opened.push(await rotations.open());
    return opened;
  };
  const atUpdateOf = ({ sessionId }: Opened, statement: string, work: () => Promise<void>) => {
    const moments = ['trigger test before update on user_session'];
    return whileTriggered(
      rotations.app,
      moments,
      `if old.id = '${sessionId}' then ${statement} end if;`,
      work,
    );
  };

  it('are processed in order of arrival within one session', async () => {
    const { first } = await rotations.open();
    const second = await rotations.next(first);
    const { use } = rotations;
    const [slower, third, slowest] = await Promise.all([use(first), use(second), use(first)]);
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
      await untilWaiting(rotations.app.db);
      // If the waiting statement still had one of these locks, this would be a deadlock.
      await query(tx, `${lock} nowait`, [others.map(({ sessionId }) => sessionId)]);
      return { mine };
    });
    assert.notEqual(successorIn(await held.mine), locked.first);
  });

  it('do not wait for a slow statement', async () => {
    const [one, ...others] = await openMany(4);
    assert.ok(one);
    await atUpdateOf(one, 'perform pg_sleep(2);', async () => {
      const slow = rotations.use(one.first);
      await eventually(async () => (await sleeping(rotations.app)) === 1);
      await Promise.all(others.map(({ first }) => rotations.next(first)));
      assert.equal(await sleeping(rotations.app), 1);
      successorIn(await slow);
    });
  });

  it('fail together if their statement fails, without ending sessions, and work again afterwards', async () => {
    const sessions = await openMany(8);
    const tokens = await Promise.all(sessions.map(({ first }) => rotations.next(first)));
    const poisoned = sessions[3];
    assert.ok(poisoned);
    const fail = `raise exception 'no space is left' using errcode = '53100';`;
    await atUpdateOf(poisoned, fail, async () => {
      rotations.forgetStatements();
      const outcomes = await Promise.allSettled(tokens.map((token) => rotations.use(token)));
      assert.equal(rotations.batches(), 1);
      for (const outcome of outcomes)
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof Unavailable);
    });
    assert.ok((await activeOf(rotations.app, sessions)).every(Boolean));
    const again = await Promise.all(sessions.map(({ first }) => rotations.next(first)));
    assert.deepEqual(again, tokens, 'nothing had been adopted');
  });
});

async function sessionOf(app: TestAccounts, answer: Refreshing): Promise<string> {
  assert.ok(answer.kind === 'refreshed');
  const claims = await app.tokens.verify(answer.tokens.Token);
  assert.ok(claims.kind === 'claims');
  assert.equal(app.refreshTokens.read(answer.tokens.RefreshToken)?.sessionId, claims.sessionId);
  return claims.sessionId;
}

function sleeping(app: TestAccounts): Promise<number> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  return query.count(app.db, sql);
}

function successorIn(answer: Refreshing): string {
  assert.ok(answer.kind === 'refreshed', JSON.stringify(answer));
  return answer.tokens.RefreshToken;
}

async function openRotations() {
  const app = await openTestAccounts();
  const secondInstance = await openTestAccounts({}, app);
  let statements: string[] = [];
  app.db.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('refresh_next = case')) statements.push(sql);
  });
  const use = (token: string, at: TestAccounts = app) =>
    refresh(at, token, { traceId: 'test', dueAt: Infinity });
  return {
    app,
    secondInstance,
    use,
    next: async (token: string): Promise<string> => successorIn(await use(token)),
    open: async (): Promise<Opened> => {
      const person = await newAccount(app);
      const { RefreshToken, sessionId } = await logIn(app, person);
      return { person, sessionId, first: RefreshToken };
    },
    /** How many statements have refreshed tokens in batches since the last `forgetStatements`. */
    batches: (): number => statements.filter((sql) => sql.includes('skip locked')).length,
    forgetStatements: () => void (statements = []),
    stop: async (): Promise<void> => {
      await secondInstance.stop();
      await app.stop();
    },
  };
}

async function activeOf(app: TestAccounts, sessions: Opened[]): Promise<boolean[]> {
  const sql = 'select id from user_session where id = any(?::uuid[]) and ended_at is null';
  const ids = await query.column(app.db, sql, [sessions.map(({ sessionId }) => sessionId)]);
  return sessions.map(({ sessionId }) => ids.includes(sessionId));
}
