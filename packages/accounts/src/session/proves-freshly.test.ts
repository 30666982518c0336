import assert from 'node:assert/strict';
import { accounts, inTransaction, query, sessionConfirmations } from '@gatehouse/db';
import type { Authentication, AuthenticationMethod } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { newAccount, openTestAccounts, switchOnTwoFactor } from '../testing/index.ts';
import { openSession } from './open-and-end.ts';
import { provesFreshly } from './proves-freshly.ts';

describe('a fresh proof of identity', () => {
  const app = during(() => openTestAccounts());

  const opened = async (authentication: Authentication, isProtected = false) => {
    const { id } = await newAccount(app);
    if (isProtected) await switchOnTwoFactor(app, id);
    const account = await accounts.findById(app.db, id);
    assert.ok(account);
    const origin = { traceId: 'test', dueAt: Infinity, authentication };
    const opening = await openSession(app, account, origin, () => Promise.resolve(true));
    assert.ok(opening.kind === 'opened');
    const { sessionId } = opening;
    const ids = [sessionId];
    const session = { sessionId, credential: 'this one' };
    const isFresh = () => provesFreshly(app.db, session, account);
    const confirm = (by: AuthenticationMethod) =>
      inTransaction(app.db, NO_DEADLINE, (tx) =>
        sessionConfirmations.record(tx, { ...session, purpose: 'action', by: [by] }),
      );
    const confirmedAt = (when: string) =>
      query(app.db, `update session_confirmation set confirmed_at = ${when} where session_id = ?`, ids);
    const set = (assignments: string) =>
      query(app.db, `update user_session set ${assignments} where id = ?`, ids);
    return { isFresh, confirm, confirmedAt, set };
  };

  for (const [authentication, isFresh] of [
    [{ by: ['password'], ageSeconds: 0 }, true],
    [{ by: ['password'], ageSeconds: 299 }, true],
    [{ by: ['passkey'], ageSeconds: 301 }, false],
    [{ by: ['sign-on'], ageSeconds: 10 }, true],
    [{ by: ['sign-on'], ageSeconds: 3600 }, false],
    [{ by: ['sign-on'], ageSeconds: undefined }, false],
  ] as const) {
    const { by, ageSeconds } = authentication;
    it(`${isFresh ? 'is' : 'is not'} a login by ${by.join()}, ${ageSeconds ?? 'an unknown number of'} seconds ago`, async () =>
      assert.equal(await (await opened(authentication)).isFresh(), isFresh));
  }

  it('is a later confirmation, for five minutes', async () => {
    const session = await opened({ by: ['sign-on'], ageSeconds: undefined });
    await session.confirm('password');
    assert.equal(await session.isFresh(), true);
    await session.confirmedAt(`now() - interval '301 seconds'`);
    assert.equal(await session.isFresh(), false);
  });

  it('includes a second factor, if one protects the account', async () => {
    const session = await opened({ by: ['password'], ageSeconds: 0 }, true);
    await session.confirm('password');
    assert.equal(await session.isFresh(), false);
    for (const by of ['second-factor', 'passkey'] as const) {
      await session.confirm(by);
      assert.equal(await session.isFresh(), true, by);
    }
    for (const by of ['second-factor', 'passkey'] as const) {
      const other = await opened({ by: ['password', by], ageSeconds: 0 }, true);
      assert.equal(await other.isFresh(), true, by);
    }
  });

  it('is none that belongs to a session that has ended, and cannot be recorded there', async () => {
    const session = await opened({ by: ['password'], ageSeconds: 0 });
    await session.confirm('password');
    await session.set('ended_at = now(), status = 4');
    assert.equal(await session.isFresh(), false);
    await session.confirmedAt(`'-infinity'`);
    await session.confirm('password');
    await session.set('ended_at = null, status = 1, authenticated_at = null');
    assert.equal(await session.isFresh(), false);
  });
});
