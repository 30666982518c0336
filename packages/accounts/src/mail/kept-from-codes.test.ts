import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { accountCodes, accounts, inTransaction, query, type Account, type KeyedAccount } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { mailContents, type MailKind } from '@gatehouse/events';
import { addressGroup, NO_DEADLINE } from '@gatehouse/runtime';
import { checkCode } from '../checks/code-check.ts';
import { mailCode, withholdCode } from '../checks/mailing.ts';
import { checkMailCode, mailLoginCode } from '../email-login/email-login.ts';
import {
  atOnce,
  codeIn,
  logIn,
  newAccount,
  openTestAccounts,
  someAddress,
  someEmail,
} from '../testing/index.ts';

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

const WRONG = '0000-0000';

const LIFETIMES: Record<Purpose, number> = {
  verify: 24 * 3600,
  reset: 600,
  'change-email': 24 * 3600,
  'two-factor': 600,
  erase: 600,
  mailbox: 600,
  complete: 7 * 24 * 3600,
};
const STEP_SECONDS = 60;

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
            for (const tryOut of theirs.slice(purpose === 'login' ? -7 : -1)) {
              const tries = await atOnce(TRIES_LEFT + 5, (at) => tryOut(WRONG, stranger(at)));
              assert.ok(!tries.includes(true));
            }
            if (await isIn()) continue;
            own = await askFrom(addressGroup(home));
            assert.ok(await isIn(), `turn ${turn}: no code that works, and no mail`);
          }
        });
      }
});

describe('mails with codes', () => {
  const app = during(() => openTestAccounts());

  const someAccount = async (): Promise<Account> => {
    const { id } = await newAccount(app);
    const account = await accounts.findById(app.db, id);
    assert.ok(account);
    return account;
  };
  const originFrom = (from: string) => ({ traceId: '0', addressGroup: from });
  const ask = (account: Account, purpose: Purpose, from: string): Promise<boolean> =>
    inTransaction(app.db, NO_DEADLINE, (tx) => mailCode(app, tx, account, purpose, originFrom(from)));
  const lives = (account: Account, purpose: Purpose) =>
    accountCodes.hasActive(app.db, { accountId: account.id, purpose });
  const wouldMail = (account: Account, purpose: Purpose): Promise<boolean> =>
    inTransaction<boolean>(app.db, NO_DEADLINE, async (tx, rollBack) =>
      rollBack(await mailCode(app, tx, account, purpose, originFrom('203.0.113.99'))),
    );
  /** Moves the clock of what is limited and of what expires. */
  const pass = async (seconds: number): Promise<void> => {
    const moved = `- make_interval(secs => ${seconds})`;
    await query(app.db, `update mail_quota set window_started_at = window_started_at ${moved}`);
    for (const table of ['account_code', 'earlier_verify_code'])
      await query(app.db, `update ${table} set expires_at = expires_at ${moved}`);
  };

  for (const [purpose, lifetimeSeconds] of Object.entries(LIFETIMES) as [Purpose, number][])
    it(`leave nobody without a code or a mail, however often strangers ask: ${purpose}`, async () => {
      const account = await someAccount();
      const mailsPerHour = 5 + Math.ceil(3600 / lifetimeSeconds);
      let mails = 0;
      for (let second = 0; second < 3600; second += STEP_SECONDS) {
        const moment = `after ${second} s`;
        assert.ok((await lives(account, purpose)) || (await wouldMail(account, purpose)), moment);
        for (let asked = 0; asked < 7; asked += 1)
          mails += Number(await ask(account, purpose, `198.51.100.${asked}`));
        assert.ok((await lives(account, purpose)) || (await wouldMail(account, purpose)), moment);
        await pass(STEP_SECONDS);
      }
      assert.ok(mails >= 5 && mails <= mailsPerHour, `${mails} mails`);
    });

  it('have a limit of their own for addresses that the account was used from', async () => {
    const account = await someAccount();
    await logIn(app, account, { address: '2001:db8:7:7::1' });
    for (let asked = 0; asked < 6; asked += 1)
      assert.equal(await ask(account, 'reset', '198.51.100.1'), asked < 5);
    for (let asked = 0; asked < 6; asked += 1)
      assert.equal(await ask(account, 'reset', '2001:db8:7:7::/64'), asked < 5);
  });

  it('do not tell by a mail beyond the limit whether another address was taken', async () => {
    const free = { ...(await someAccount()), email: someEmail() };
    const taken = { ...(await someAccount()), email: someEmail() };
    for (let asked = 0; asked < 4; asked += 1)
      for (const account of [free, taken])
        assert.equal(await ask(account, 'change-email', '198.51.100.1'), true);
    await ask(free, 'change-email', '198.51.100.1');
    const withheld = () =>
      inTransaction(app.db, NO_DEADLINE, (tx) =>
        withholdCode(app, tx, taken, 'change-email', originFrom('198.51.100.1')),
      );
    assert.equal(await withheld(), true);
    for (const account of [free, taken]) assert.equal(await wouldMail(account, 'change-email'), false);
    await pass(LIFETIMES['change-email']);
    for (const account of [free, taken]) assert.equal(await wouldMail(account, 'change-email'), true);
  });
});
