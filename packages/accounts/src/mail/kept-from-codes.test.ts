import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { accounts, inTransaction, query, type KeyedAccount } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { mailContents, type MailKind } from '@gatehouse/events';
import { addressGroup, NO_DEADLINE } from '@gatehouse/runtime';
import { checkCode } from '../checks/code-check.ts';
import { mailCode } from '../checks/mailing.ts';
import { checkMailCode, mailLoginCode } from '../email-login/email-login.ts';
import { codeIn, logIn, newAccount, openTestAccounts, someAddress, someEmail } from '../testing/index.ts';

type Purpose = Parameters<typeof mailCode>[3];

/** The codes in the mails: a new kind of mail with a secret must be added here. */
const SECRETS: Partial<Record<MailKind, Purpose | 'login' | 'link'>> = {
  'verification-code': 'verify',
  'password-reset': 'reset',
  'login-code': 'login',
  'mailbox-code': 'mailbox',
  'account-invitation': 'complete',
  'email-change-code': 'change-email',
  'two-factor-code': 'two-factor',
  'erasure-code': 'erase',
  // Secrets of 256 bits, whose wrong tries are not counted for any account.
  'email-changed': 'link',
  'erasure-scheduled': 'link',
  invitation: 'link',
};

/** What a stranger may do until then; the rest of the tries of a code were made before. */
const TRIES_LEFT = 40;

const STRANGERS = {
  'somebody with a /48': () => {
    const site = someAddress().split(':', 3).join(':');
    return (at: number) => addressGroup(`${site}:${at.toString(16)}::1`);
  },
  'somebody with many addresses': () => {
    const [one, two] = [randomInt(256), randomInt(256)];
    return (at: number) => `10.${one}.${two}.${at}`;
  },
};

describe('a stranger who asks for mailed codes, and tries them', () => {
  const app = during(() => openTestAccounts({ EMAIL_LOGIN: 'users' }));

  /** A request for a code from there, and the tries of its browser. */
  const ask = async (account: KeyedAccount, purpose: Purpose | 'login', from: string) => {
    const requestToken = newInvitationToken();
    const origin = { traceId: '0', addressGroup: from };
    await inTransaction(app.db, NO_DEADLINE, async (tx) => {
      await accounts.lockById(tx, account.id);
      if (purpose === 'login')
        await mailLoginCode(app, tx, account, { ...origin, requestHash: hashInvitationToken(requestToken) });
      else await mailCode(app, tx, account, purpose, origin);
    });
    for (const table of ['account_code', 'earlier_verify_code', 'login_code'])
      await query(app.db, `update ${table} set tries_left = least(tries_left, ${TRIES_LEFT})`);
    return async (code: string, group: string): Promise<boolean> => {
      const typed = { addressGroup: group, typed: code };
      const checked =
        purpose === 'login'
          ? checkMailCode(app, { userName: account.email, code, requestToken, addressGroup: group })
          : checkCode(app, { account, purpose, ...typed });
      return (await checked).kind === 'right';
    };
  };

  it('keeps no owner from a code that works, for every kind of mail with a secret', () => {
    const held = Object.entries(mailContents).filter(([, { properties }]) =>
      ['Code', 'TakeBack', 'RestoreCode', 'InvitationToken'].some((name) => name in properties),
    );
    assert.deepEqual(held.map(([kind]) => kind).toSorted(), Object.keys(SECRETS).toSorted());
  });

  for (const [name, newStranger] of Object.entries(STRANGERS))
    for (const [kind, purpose] of Object.entries(SECRETS))
      for (const isKnown of [true, false]) {
        if (purpose === 'link') continue;
        it(`${name}, ${kind}, an owner at ${isKnown ? 'a known' : 'a new'} address`, async () => {
          const { id } = await newAccount(app);
          const home = someAddress();
          if (isKnown) await logIn(app, { id }, { address: home });
          const found = (await accounts.findById(app.db, id)) ?? assert.fail();
          const email = purpose === 'change-email' ? someEmail() : found.email;
          const account = { ...found, email, emailKey: email };
          const stranger = newStranger();
          const askFrom = (from: string) => ask(account, purpose, from);
          const theirs = [];
          let own: Awaited<ReturnType<typeof ask>> | undefined;
          const isIn = async (): Promise<boolean> =>
            own !== undefined && (await own(codeIn(await app.mailsTo(email)), addressGroup(home)));
          for (const turn of [1, 2]) {
            for (let time = 0; time < 7; time += 1) {
              theirs.push(await askFrom(stranger(time)));
              if (time === 5 && !(await isIn())) own = await askFrom(addressGroup(home));
            }
            // Codes but those for logging in are the same for all requests.
            const tries = theirs
              .slice(purpose === 'login' ? -7 : -1)
              .flatMap((tryOut) =>
                Array.from({ length: TRIES_LEFT + 5 }, (_, at) => tryOut(WRONG, stranger(at))),
              );
            assert.ok(!(await Promise.all(tries)).includes(true));
            if (await isIn()) continue;
            own = await askFrom(addressGroup(home));
            assert.ok(await isIn(), `turn ${turn}: no code that works, and no mail`);
          }
        });
      }
});

const WRONG = '0000-0000';
