import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import type { Refreshing } from './refresh.ts';
import { logout } from '../logout.ts';
import type { TestAccounts } from '../../testing/index.ts';
import {
  activeOf,
  openRotations,
  successorIn,
  type Opened,
  type Rotations,
} from '../../testing/rotations.ts';

describe('refresh tokens that are used together', () => {
  let rotations: Rotations;
  before(async () => {
    rotations = await openRotations();
  });
  after(() => rotations.stop());

  const expireOvertaken = ({ sessionId }: Opened) =>
    query(
      rotations.app.db,
      `update user_session
       set refresh_overtaken_at = array(select unnest(refresh_overtaken_at) - interval '31 seconds')
       where id = ?`,
      [sessionId],
    );

  /** Ends the grace period of the successor that the current token was answered with. */
  const expireNext = async (session: Opened): Promise<void> => {
    await expireOvertaken(session);
    await query(
      rotations.app.db,
      `update user_session set refresh_next_at = refresh_next_at - interval '31 seconds' where id = ?`,
      [session.sessionId],
    );
  };

  it('get the same responses as alone: fresh, adopted, replaced, stolen, ended, of no session, of a disabled account', async () => {
    const [kept, adopted, overtaken, stolen, ended, disabled] = await openSix(rotations.open);
    const [newToken, newest] = [await rotations.next(adopted.first), await rotations.next(overtaken.first)];
    await rotations.next(newest);
    await rotations.next(await rotations.next(stolen.first));
    await expireOvertaken(stolen);
    await logout(
      rotations.app,
      { accountId: ended.person.id, sessionId: ended.sessionId },
      { traceId: 'test', dueAt: Infinity },
    );
    await query(rotations.app.db, 'update account set is_disabled = true where id = ?', [disabled.person.id]);
    rotations.forgetStatements();

    const answers = await Promise.all([
      rotations.use(kept.first),
      rotations.use(newToken),
      rotations.use(overtaken.first),
      rotations.use(stolen.first),
      rotations.use(ended.first),
      rotations.use(disabled.first),
      rotations.use(rotations.app.refreshTokens.issue(newId(), rotations.app.refreshTokens.newNonce())),
    ]);

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
    const whose = await Promise.all([
      sessionOf(rotations.app, answers[0]),
      sessionOf(rotations.app, answers[1]),
    ]);
    assert.deepEqual(whose, [kept.sessionId, adopted.sessionId]);
    assert.deepEqual(await activeOf(rotations.app, [kept, adopted, overtaken, stolen]), [
      true,
      true,
      true,
      false,
    ]);
  });

  it('detect theft when thief and owner both continue with the tokens that they received', async () => {
    const { session, mine, theirs } = await refreshApart(rotations.open, rotations.use, expireNext);
    // The first of the two makes its own token the current one; the other one's token becomes invalid.
    assert.equal((await rotations.use(theirs)).kind, 'refreshed');
    assert.deepEqual(await rotations.use(mine), { kind: 'refused', code: 'session_deactivated' });
    assert.deepEqual(await rotations.use(theirs), { kind: 'refused', code: 'session_deactivated' });
    assert.deepEqual(await activeOf(rotations.app, [session]), [false]);
    const mails = await rotations.app.mailsTo(session.person.email);
    assert.deepEqual(
      mails.map(({ type }) => type),
      ['refresh-token.reused'],
    );
  });

  it('end the session when a replaced token is used, even before its successor was used', async () => {
    const { session, mine } = await refreshApart(rotations.open, rotations.use, expireNext);
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
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        rotations.use(session.first, index % 2 === 0 ? rotations.app : rotations.secondInstance),
      ),
    );
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
    const answers = await Promise.all(Array.from({ length: 100 }, () => rotations.use(second)));
    assert.equal(new Set(answers.map(successorIn)).size, 1);
    assert.equal(rotations.batches(), 1);
  });

  it('keep only the replaced tokens that are still valid, unchanged', async () => {
    const session = await rotations.open();
    const tokens = [session.first];
    const adopt = async () => tokens.push(await rotations.next(tokens.at(-1) ?? ''));
    const overtaken = async () => {
      const [row] = await query<{ nonces: number; times: number }>(
        rotations.app.db,
        `select cardinality(refresh_overtaken) as nonces, cardinality(refresh_overtaken_at) as times
         from user_session where id = ?`,
        [session.sessionId],
      );
      return [row?.nonces, row?.times];
    };
    // The first use of a login's token does not adopt a new one.
    for (let time = 0; time < 6; time += 1) await adopt();
    assert.deepEqual(await overtaken(), [5, 5]);
    for (const first of [2, 1]) {
      await query(
        rotations.app.db,
        `update user_session set refresh_overtaken_at[1:?] =
           array(select unnest(refresh_overtaken_at[1:?]) - interval '31 seconds')
         where id = ?`,
        [first, first, session.sessionId],
      );
      await adopt();
      assert.deepEqual(await overtaken(), [4, 4]);
    }
    for (const place of [3, 4, 5, 6, 7])
      assert.equal(await rotations.next(tokens[place] ?? ''), tokens[place + 1]);
    await expireOvertaken(session);
    await adopt();
    assert.deepEqual(await overtaken(), [1, 1]);
    assert.equal(await rotations.next(tokens.at(-3) ?? ''), tokens.at(-2));
    assert.deepEqual(await rotations.use(tokens[3] ?? ''), { kind: 'refused', code: 'session_deactivated' });
  });
});

/** A thief has copied the owner's token, and both use the current one, further apart than the grace period. */
async function refreshApart(
  open: () => Promise<Opened>,
  use: (token: string) => Promise<Refreshing>,
  expireNext: (session: Opened) => Promise<void>,
): Promise<{ session: Opened; mine: string; theirs: string }> {
  const session = await open();
  let shared = session.first;
  // Within the grace period, they are treated like two tabs of one client.
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
