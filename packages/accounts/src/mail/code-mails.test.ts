import assert from 'node:assert/strict';
import { accountCodes, accounts, inTransaction, query, type Account } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { newAccount, openTestAccounts, someEmail, logIn } from '../testing/index.ts';
import { mailCode, withholdCode } from '../checks/mailing.ts';

type Purpose = Parameters<typeof mailCode>[3];

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

describe('mails with codes', () => {
  const app = during(() => openTestAccounts());

  const someAccount = async (): Promise<Account> => {
    const { id } = await newAccount(app);
    const account = await accounts.findById(app.db, id);
    assert.ok(account);
    return account;
  };
  const originFrom = (addressGroup: string) => ({ traceId: '0', addressGroup });
  const ask = (account: Account, purpose: Purpose, addressGroup: string): Promise<boolean> =>
    inTransaction(app.db, NO_DEADLINE, (tx) => mailCode(app, tx, account, purpose, originFrom(addressGroup)));
  const lives = (account: Account, purpose: Purpose) => accountCodes.hasActive(app.db, account.id, purpose);
  /** Whether somebody at a new address would be mailed a code now. */
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

  for (const [purpose, lifetimeSeconds] of Object.entries(LIFETIMES) as [Purpose, number][]) {
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
  }

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
