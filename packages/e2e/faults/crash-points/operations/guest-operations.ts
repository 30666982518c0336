import assert from 'node:assert/strict';
import { PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { contentAccess, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { Operation } from './operation.ts';
import {
  findAccount,
  isRefused,
  logIn,
  newChannel,
  newAccount,
  PROMISED_SECONDS,
  tokensIn,
  tryLogin,
  waitUntilRefused,
} from '../accounts.ts';
import { ask, invitationTokenIn, mailTo } from '../world.ts';

const INVITE = '/account/invite-user';
const REGISTER = '/account/register-guest';
const REMOVE = '/account/remove-user';

const invite: Operation = {
  name: 'an invitation',
  service: 'portal',
  prepare: async (world) => {
    const channel = await newChannel(world);
    const email = someEmail();
    const body = { Emails: [email], ContentDefinitionId: channel.id };
    return {
      path: INVITE,
      body,
      token: channel.ownerToken,
      check: async ({ answer, isCommitted }) => {
        const isThere = (await findAccount(world, email)) !== undefined;
        assert.equal(isThere, isCommitted, 'an invitation in part');
        assert.ok(answer === undefined || isThere, 'a 200 for no invitation');
        if (!isThere) {
          const again = await ask(world.portal, INVITE, { body, token: channel.ownerToken });
          assert.equal(resultOf(again), 'Invited');
        }
        return async () => {
          const given = guest(invitationTokenIn(await mailTo(world, email)));
          assert.equal((await ask(world.portal, REGISTER, { body: given }))?.status, 200);
          assert.equal((await ask(world.portal, REGISTER, { body: given }))?.status, 400);
          await logIn(world, { email });
        };
      },
    };
  },
};

const registerGuest: Operation = {
  name: 'the registration of a guest',
  service: 'portal',
  prepare: async (world) => {
    const channel = await newChannel(world);
    const email = someEmail();
    const body = { Emails: [email], ContentDefinitionId: channel.id };
    await ask(world.portal, INVITE, { body, token: channel.ownerToken });
    const token = invitationTokenIn(await mailTo(world, email));
    return {
      path: REGISTER,
      body: guest(token),
      check: async ({ answer, isCommitted }) => {
        assert.ok(answer === undefined || isCommitted);
        const others = [`${PASSWORD} 2`, `${PASSWORD} 3`];
        const again = await Promise.all(
          others.map((password) => ask(world.portal, REGISTER, { body: guest(token, password) })),
        );
        const taken = again.flatMap((one, index) => (one?.status === 200 ? [others[index]] : []));
        assert.equal(taken.length, isCommitted ? 0 : 1, 'a link is used once');
        tokensIn(await tryLogin(world, { email }, taken[0] ?? PASSWORD));
      },
    };
  },
};

const remove: Operation = {
  name: 'the removal of a guest',
  service: 'portal',
  prepare: async (world) => {
    const channel = await newChannel(world);
    const account = await newAccount(world, 'Guest');
    const access = { contentDefinitionId: channel.id, accountId: account.id, grantedBy: undefined };
    await inTransaction(world.database.db, NO_DEADLINE, (tx) => contentAccess.grant(tx, access));
    const { Token } = await logIn(world, account);
    const asked = { body: { UserId: account.id, ContentId: channel.id }, token: channel.ownerToken };
    return {
      path: REMOVE,
      ...asked,
      check: async ({ answer, isCommitted }) => {
        if (answer !== undefined) await waitUntilRefused(world, Token, PROMISED_SECONDS);
        if (isCommitted) await waitUntilRefused(world, Token);
        else assert.equal(await isRefused(world, Token), false);
        const again = await ask(world.portal, REMOVE, asked);
        assert.equal(resultOf(again), isCommitted ? 'NoAccess' : 'AccessRevoked');
        await waitUntilRefused(world, Token, PROMISED_SECONDS);
        assert.equal((await tryLogin(world, account))?.status, 403);
        return async () => void (await mailTo(world, account.email));
      },
    };
  },
};

function guest(InvitationToken: string, Password = PASSWORD) {
  return { InvitationToken, Password, DisplayName: 'Gus' };
}

function resultOf(answer: Awaited<ReturnType<typeof ask>>): unknown {
  const items = answer?.body['Items'] as { Result: string }[] | undefined; // guaranteed by its schema
  return items?.[0]?.Result;
}

export const guestOperations = [invite, registerGuest, remove];
