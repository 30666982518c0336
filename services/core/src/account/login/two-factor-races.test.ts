import assert from 'node:assert/strict';
import { openSession } from '@gatehouse/accounts';
import { moveClock, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts, BY_PASSWORD } from '@gatehouse/db';
import { startCore, type TestCore } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

const AUTHENTICATION_FAILED = { status: 404, code: 'authentication_failed' };

describe('concurrent use of second factors', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const attempt = (body: object) => core.post('/account/login', body);
  const outcomeOf = async (body: object) => {
    const answer = await attempt(body);
    return { status: answer.status, code: (answer.body as { code?: string }).code };
  };

  it('opens no session for a password checked before two-factor was enabled', async () => {
    const email = await core.newAccount();
    const checked = await accounts.findByEmailKey(core.app.db, email);
    assert.ok(checked);
    await switchOnTwoFactor(core.app, checked.id);
    assert.deepEqual(
      await openSession(core.app, checked, { traceId: '0', dueAt: Infinity, authentication: BY_PASSWORD }),
      {
        kind: 'stale',
      },
    );
  });

  it('does not use up a code when its login fails', async () => {
    const { ask, recoveryCode, withPassword } = await newOwner(core);
    const TwoFactorToken = await ask();
    const answers = await Promise.all(
      [0, 1].map((index) => attempt({ TwoFactorToken, TwoFactorCode: recoveryCode(index) })),
    );
    const loser = answers.findIndex(({ status }) => status !== 200);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    await attempt({ ...withPassword, TwoFactorCode: recoveryCode(loser) }).expect(200);
  });

  it('opens one session for ten concurrent uses of a code', async () => {
    const { phone, withPassword, ask } = await newOwner(core);
    const tokens = await Promise.all(Array.from({ length: 5 }, ask));
    const TwoFactorCode = phone.nextCode();
    const answers = await Promise.all([
      ...tokens.map((TwoFactorToken) => attempt({ TwoFactorToken, TwoFactorCode })),
      ...tokens.slice(1).map(() => attempt({ ...withPassword, TwoFactorCode })),
    ]);
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [200, ...Array<number>(8).fill(404)],
    );
  });

  it('opens one session for five concurrent uses of a recovery code, and notifies the owner', async () => {
    const { email, phone, withPassword, recoveryCode } = await newOwner(core);
    const TwoFactorCode = recoveryCode().toLowerCase().replace('-', ' ');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => attempt({ ...withPassword, TwoFactorCode })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 404, 404, 404, 404],
    );
    assert.deepEqual(await outcomeOf({ ...withPassword, TwoFactorCode }), AUTHENTICATION_FAILED);
    const mails = (await core.app.mailsTo(email)).map(({ type }) => type);
    assert.equal(mails.filter((type) => type === 'account.recovery-code-used').length, 1);
    await attempt({ ...withPassword, TwoFactorCode: recoveryCode(1) }).expect(200);
    await attempt({ ...withPassword, TwoFactorCode: phone.nextCode() }).expect(200);
  });
});
