import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { refresh, type Refreshing } from './refresh.ts';
import { logout } from '../sessions.ts';
import { logIn, newAccount, openTestAccounts, type TestAccounts } from '../../testing/index.ts';
import { successorIn, type Opened } from '../../testing/rotations.ts';

describe('refresh tokens that are used together', () => {
  let app: TestAccounts;
  let secondInstance: TestAccounts;
  let statements: string[] = [];
  before(async () => {
    app = await openTestAccounts();
    secondInstance = await openTestAccounts({}, app);
    app.db.on('query', ({ sql }: { sql: string }) => {
      if (sql.includes('refresh_next = case')) statements.push(sql);
    });
  });
  after(async () => {
    await secondInstance.stop();
    await app.stop();
  });

  const open = async (): Promise<Opened> => {
    const person = await newAccount(app);
    const { RefreshToken, sessionId } = await logIn(app, person);
    return { person, sessionId, first: RefreshToken };
  };
  const use = (token: string, at = app) => refresh(at, token, { traceId: 'test', dueAt: Infinity });
  const next = async (token: string) => successorIn(await use(token));
  const batches = () => statements.filter((sql) => sql.includes('skip locked')).length;
  const expireOvertaken = ({ sessionId }: Opened) =>
    query(
      app.db,
      `update user_session
       set refresh_overtaken_at = array(select unnest(refresh_overtaken_at) - interval '31 seconds')
       where id = ?`,
      [sessionId],
    );

  /** Lets the grace of what the current token was answered with pass. */
  const expireNext = async (session: Opened): Promise<void> => {
    await expireOvertaken(session);
    await query(
      app.db,
      `update user_session set refresh_next_at = refresh_next_at - interval '31 seconds' where id = ?`,
      [session.sessionId],
    );
  };

  it('get the same responses as alone: fresh, adopted, replaced, stolen, ended, of no session, of a disabled account', async () => {
    const [kept, adopted, overtaken, stolen, ended, disabled] = await openSix(open);
    const [newToken, newest] = [await next(adopted.first), await next(overtaken.first)];
    await next(newest);
    await next(await next(stolen.first));
    await expireOvertaken(stolen);
    await logout(
      app,
      { accountId: ended.person.id, sessionId: ended.sessionId },
      { traceId: 'test', dueAt: Infinity },
    );
    await query(app.db, 'update account set is_disabled = true where id = ?', [disabled.person.id]);
    statements = [];

    const answers = await Promise.all([
      use(kept.first),
      use(newToken),
      use(overtaken.first),
      use(stolen.first),
      use(ended.first),
      use(disabled.first),
      use(app.refreshTokens.issue(newId(), app.refreshTokens.newNonce())),
    ]);

    assert.equal(batches(), 1);
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
    assert.deepEqual(tokens.slice(0, 2), [await next(kept.first), await next(newToken)]);
    const whose = await Promise.all([sessionOf(app, answers[0]), sessionOf(app, answers[1])]);
    assert.deepEqual(whose, [kept.sessionId, adopted.sessionId]);
    assert.deepEqual(await activeOf(app, [kept, adopted, overtaken, stolen]), [true, true, true, false]);
  });

  it('detect theft when thief and owner both continue with the tokens that they received', async () => {
    const { session, mine, theirs } = await stepApart(open, use, expireNext);
    // The first of the two makes its own token the current one; the other's is void.
    assert.equal((await use(theirs)).kind, 'refreshed');
    assert.deepEqual(await use(mine), { kind: 'refused', code: 'session_deactivated' });
    assert.deepEqual(await use(theirs), { kind: 'refused', code: 'session_deactivated' });
    assert.deepEqual(await activeOf(app, [session]), [false]);
    const mails = await app.mailsTo(session.person.email);
    assert.deepEqual(
      mails.map(({ type }) => type),
      ['refresh-token.reused'],
    );
  });

  it('end the session when a replaced token is used, even before its successor was used', async () => {
    const { session, mine } = await stepApart(open, use, expireNext);
    assert.deepEqual(await use(mine), { kind: 'refused', code: 'session_deactivated' });
    assert.deepEqual(await activeOf(app, [session]), [false]);
  });

  it('keep working for a client that lost responses, and for one that keeps its first token', async () => {
    const session = await open();
    const given = new Set<string>();
    for (let time = 0; time < 5; time += 1) {
      given.add(await next(session.first));
      await expireNext(session);
    }
    assert.equal(given.size, 5);
    const latest = await next(session.first);
    assert.notEqual(await next(latest), latest);
    assert.equal(await next(session.first), latest, 'overtaken, and answered for the grace');
    assert.deepEqual(await activeOf(app, [session]), [true]);
  });

  it('return one identical fresh successor to a hundred concurrent requests on two instances', async () => {
    const session = await open();
    const first = await next(session.first);
    await expireNext(session);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => use(session.first, index % 2 === 0 ? app : secondInstance)),
    );
    const successors = new Set(answers.map(successorIn));
    assert.equal(successors.size, 1);
    assert.ok(!successors.has(first));
    const [successor = ''] = successors;
    assert.equal(await next(session.first), successor, 'the grace starts over');
    assert.notEqual(await next(successor), successor);
  });

  it('take a token that was adopted by code without the column for what it is', async () => {
    const session = await open();
    const second = await next(session.first);
    await expireNext(session);
    const third = await next(second);
    // As if that code had adopted: the time of the earlier token stays.
    await query(
      app.db,
      `update user_session set refresh_next_at = refresh_next_at - interval '1 hour' where id = ?`,
      [session.sessionId],
    );
    assert.equal(await next(second), third);
    await query(app.db, 'update user_session set refresh_next_at = null where id = ?', [session.sessionId]);
    assert.equal(await next(second), third);
    await expireNext(session);
    assert.notEqual(await next(second), third);
  });

  it('share one rotation where they are the same', async () => {
    const { first } = await open();
    const second = await next(first);
    statements = [];
    const answers = await Promise.all(Array.from({ length: 100 }, () => use(second)));
    assert.equal(new Set(answers.map(successorIn)).size, 1);
    assert.equal(batches(), 1);
  });

  it('keep only the replaced tokens that are still valid, unchanged', async () => {
    const session = await open();
    const tokens = [session.first];
    const adopt = async () => tokens.push(await next(tokens.at(-1) ?? ''));
    const overtaken = async () => {
      const [row] = await query<{ nonces: number; times: number }>(
        app.db,
        `select cardinality(refresh_overtaken) as nonces, cardinality(refresh_overtaken_at) as times
         from user_session where id = ?`,
        [session.sessionId],
      );
      return [row?.nonces, row?.times];
    };
    // The first use of a login's token adopts nothing.
    for (let time = 0; time < 6; time += 1) await adopt();
    assert.deepEqual(await overtaken(), [5, 5]);
    for (const first of [2, 1]) {
      await query(
        app.db,
        `update user_session set refresh_overtaken_at[1:?] =
           array(select unnest(refresh_overtaken_at[1:?]) - interval '31 seconds')
         where id = ?`,
        [first, first, session.sessionId],
      );
      await adopt();
      assert.deepEqual(await overtaken(), [4, 4]);
    }
    for (const place of [3, 4, 5, 6, 7]) assert.equal(await next(tokens[place] ?? ''), tokens[place + 1]);
    await expireOvertaken(session);
    await adopt();
    assert.deepEqual(await overtaken(), [1, 1]);
    assert.equal(await next(tokens.at(-3) ?? ''), tokens.at(-2));
    assert.deepEqual(await use(tokens[3] ?? ''), { kind: 'refused', code: 'session_deactivated' });
  });
});

/** A thief has copied the owner's token, and both use the current one, more than the grace apart. */
async function stepApart(
  open: () => Promise<Opened>,
  use: (token: string) => Promise<Refreshing>,
  expireNext: (session: Opened) => Promise<void>,
): Promise<{ session: Opened; mine: string; theirs: string }> {
  const session = await open();
  let shared = session.first;
  // Within the grace they are taken for two tabs.
  for (let round = 0; round < 2; round += 1) {
    const given = successorIn(await use(shared));
    assert.equal(successorIn(await use(shared)), given);
    shared = given;
  }
  const mine = successorIn(await use(shared));
  await expireNext(session);
  const theirs = successorIn(await use(shared));
  assert.notEqual(mine, theirs);
  return { session, mine, theirs };
}

async function openSix(
  open: () => Promise<Opened>,
): Promise<[Opened, Opened, Opened, Opened, Opened, Opened]> {
  return [await open(), await open(), await open(), await open(), await open(), await open()];
}

async function sessionOf(app: TestAccounts, answer: Refreshing): Promise<string> {
  assert.ok(answer.kind === 'refreshed');
  const claims = await app.tokens.verify(answer.tokens.Token);
  assert.ok(claims.kind === 'claims');
  assert.equal(app.refreshTokens.read(answer.tokens.RefreshToken)?.sessionId, claims.sessionId);
  return claims.sessionId;
}

async function activeOf(app: TestAccounts, sessions: Opened[]): Promise<boolean[]> {
  const rows = await query<{ id: string }>(
    app.db,
    'select id from user_session where id = any(?::uuid[]) and ended_at is null',
    [sessions.map(({ sessionId }) => sessionId)],
  );
  return sessions.map(({ sessionId }) => rows.some(({ id }) => id === sessionId));
}
