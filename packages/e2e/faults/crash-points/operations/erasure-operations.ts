import assert from 'node:assert/strict';
import { PASSWORD } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import type { Operation } from './operation.ts';
import {
  isRefused,
  logIn,
  newAccount,
  PROMISED_SECONDS,
  tryLogin,
  waitUntilRefused,
  type AccountRef,
} from '../accounts.ts';
import { ask, codeIn, mailTo, restoreCodeIn, type World } from '../world.ts';

const ERASE = '/account/erase';
const RESTORE = '/account/restore';

/** How an account stands that nobody wants to be erased, one that is closed, and one whose erasure was taken back. */
const OPEN = { isDisabled: false, pending: 0, active: 1, requested: 0, takenBack: 0 };
const CLOSED = { isDisabled: true, pending: 1, active: 0, requested: 1, takenBack: 0 };
const BACK = { isDisabled: false, pending: 0, active: 0, requested: 1, takenBack: 1 };

const confirm: Operation = {
  name: 'the erasure of an account that its owner confirms',
  service: 'core',
  prepare: async (world) => {
    const { account, token, code: Code } = await requestErasure(world);
    return {
      path: ERASE,
      body: { Code },
      token,
      check: async ({ answer, isCommitted }) => {
        if (answer !== undefined) await waitUntilRefused(world, token, PROMISED_SECONDS);
        assert.deepEqual(await standingOf(world, account), isCommitted ? CLOSED : OPEN);
        if (isCommitted) await waitUntilRefused(world, token);
        else {
          assert.equal(await isRefused(world, token), false);
          assert.equal((await ask(world.core, ERASE, { body: { Code }, token }))?.status, 202);
        }
        await isClosed(world, account, token);
        return async () => {
          const body = { Code: restoreCodeIn(await mailTo(world, account.email, 2)) };
          assert.equal((await ask(world.core, RESTORE, { body }))?.status, 200);
          await logIn(world, account);
          assert.equal(world.sink.mailsTo(account.email).length, 2);
        };
      },
    };
  },
};

const restore: Operation = {
  name: 'the way back of an account by the link in the mail',
  service: 'core',
  prepare: async (world) => {
    const { account, token, code } = await requestErasure(world);
    const closed = await ask(world.core, ERASE, { body: { Code: code }, token });
    assert.equal(closed?.status, 202, JSON.stringify(closed));
    const body = { Code: restoreCodeIn(await mailTo(world, account.email, 2)) };
    return {
      path: RESTORE,
      body,
      check: async ({ answer, isCommitted }) => {
        assert.ok(answer === undefined || isCommitted, 'a 200 for no way back');
        assert.deepEqual(await standingOf(world, account), isCommitted ? BACK : CLOSED);
        const again = await ask(world.core, RESTORE, { body });
        assert.equal(again?.status, isCommitted ? 400 : 200, 'a link is used once');
        await isBack(world, account, token);
      },
    };
  },
};

/** Somebody who asked to be erased, and the code that was mailed to them. */
async function requestErasure(world: World): Promise<{ account: AccountRef; token: string; code: string }> {
  const account = await newAccount(world);
  const { Token: token } = await logIn(world, account);
  const asked = await ask(world.core, ERASE, { body: { Password: PASSWORD }, token });
  assert.equal(asked?.status, 200, JSON.stringify(asked));
  return { account, token, code: codeIn(await mailTo(world, account.email)) };
}

async function isClosed(world: World, account: AccountRef, ended: string): Promise<void> {
  await waitUntilRefused(world, ended, PROMISED_SECONDS);
  assert.deepEqual(await standingOf(world, account), CLOSED);
  assert.equal((await tryLogin(world, account))?.status, 403);
}

/** Sessions that ended stay so. */
async function isBack(world: World, account: AccountRef, ended: string): Promise<void> {
  assert.deepEqual(await standingOf(world, account), BACK);
  assert.equal(await isRefused(world, ended), true);
  await logIn(world, account);
}

async function standingOf(world: World, { id }: AccountRef): Promise<unknown> {
  const [found] = await query(
    world.database.db,
    `select a.is_disabled as "isDisabled",
       (select count(*)::int from erasure e
        where e.account_id = a.id and e.restored_at is null and e.erased_at is null) as pending,
       (select count(*)::int from user_session s where s.account_id = a.id and s.ended_at is null) as active,
       (select count(*)::int from audit l
        where l.target_id = a.id and l.action = 'account.erasure-requested') as requested,
       (select count(*)::int from audit l
        where l.target_id = a.id and l.action = 'account.erasure-taken-back') as "takenBack"
     from account a
     where a.id = ?`,
    [id],
  );
  return found;
}

export const erasureOperations = [confirm, restore];
