import assert from 'node:assert/strict';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { changeAccount } from '@gatehouse/accounts';
import { activity, query } from '@gatehouse/db';
import { cast, type Person } from '../testing/cast.ts';
import { BY_SYSTEM } from '../testing/index.ts';
import {
  assertAudited,
  type AuditedChange,
  authenticator,
  codeIn,
  moveClock,
  PASSWORD,
  someEmail,
  switchOnTwoFactor,
} from '@gatehouse/accounts/testing';

const OTHER = 'another password than that';

describe('the statistics of accounts and sessions', () => {
  const { core, someone, member } = cast({ LOGIN_FAILURES_FREE: 2 });

  const countedIn = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const { db, activity: recorder } = core().app;
    const save = () => recorder.flush((counts) => activity.add(db, counts));
    await save();
    await query(db, 'delete from activity');
    await work();
    await save();
    const sums = await activity.findSums(db, { from: new Date(0), to: new Date(), interval: 'day' });
    return Object.fromEntries(sums.map(({ kind, count }) => [kind, count]));
  };

  it('count what people do, and why they are refused', async () => {
    const [ann, bob, eve, disabled] = [someone(), await member(), await member(), await member()];
    await disabled.set('is_disabled = true');
    const counted = await countedIn(async () => {
      await ann.registers().expect(200);
      await ann.verifies((await ann.codes())[0]).expect(200);
      await bob.session();
      const session = await bob.session();
      await session.refreshes().expect(200);
      await bob.post('/account/refresh-token', { RefreshToken: 'x' }).expect(401);
      await session.logsOut().expect(200);
      await ann.session();
      const code = await ann.forgets();
      await ann.resets(code, OTHER).expect(200);
      await ann.resets(code, OTHER).expect(400);
      await disabled.logsIn().expect(403);
      await someone('nobody at all').logsIn().expect(404);
      for (let time = 0; time < 2; time += 1) await eve.logsIn('wrong').expect(404);
      await eve.logsIn().expect(429);
      const second = { TwoFactorToken: 'x'.repeat(43), TwoFactorCode: '123456' };
      await eve.post('/account/login', second).expect(404);
    });
    assert.deepEqual(counted, {
      ...{ registration: 1, verification: 1, 'login.password': 3, refresh: 1, reset: 1 },
      ...{ 'session.logout': 1, 'session.replaced': 1, 'session.password_reset': 1 },
      ...{ 'refused.account_disabled': 1, 'refused.second-factor': 1, 'refused.throttled': 1 },
      'refused.password': 3,
    });
  });
});

describe('events for registration, verification and password reset', () => {
  const { core, created, someone, member } = cast({});

  const eventsOf = async (ann: Person) => {
    const sql = `select event -> 'data' as data from outbox
       where type = 'account.updated' and event -> 'data' ->> 'UserId' = ? order by id`;
    return fieldsOf(await core().sql<{ data: object }>(sql, [await ann.id()]), 'data');
  };

  it('contain the name that the owner of a pending account completes it with', async () => {
    const ann = await created();
    await ann.registers(PASSWORD, { DisplayName: 'A Stranger', Locale: 'de' }).expect(200);
    assert.deepEqual(await eventsOf(ann), []);
    await ann.resets((await ann.codes())[0], PASSWORD, { DisplayName: 'Ann Other' }).expect(200);
    const UserId = await ann.id();
    assert.deepEqual(await eventsOf(ann), [{ UserId, Changed: ['DisplayName'], ChangedBy: UserId }]);
  });

  it('report that a contested account has no name any more, and needs a password', async () => {
    const ann = someone();
    await ann.registers(PASSWORD, { DisplayName: 'Ann', Locale: 'de' }).expect(200);
    await ann.registers(OTHER).expect(200);
    const UserId = await ann.id();
    const contested = { UserId, Changed: ['DisplayName', 'Locale'] };
    await ann.verifies((await ann.codes())[0]).expect(200);
    const verified = { UserId, Changed: ['NewPasswordRequired'], ChangedBy: UserId };
    assert.deepEqual(await eventsOf(ann), [contested, verified]);
    await ann.resets(await ann.forgets(), PASSWORD).expect(200);
    assert.deepEqual(await eventsOf(ann), [contested, verified, verified]);
  });

  it('report once that a new password is no longer required', async () => {
    const ann = await member();
    const UserId = await ann.id();
    await changeAccount(core().app, UserId, { isNewPasswordRequired: true }, BY_SYSTEM);
    for (const password of [OTHER, PASSWORD]) await ann.resets(await ann.forgets(), password).expect(200);
    const required = { UserId, Changed: ['NewPasswordRequired'] };
    assert.deepEqual(await eventsOf(ann), [required, { ...required, ChangedBy: UserId }]);
  });
});

const NEW_PASSWORD = 'a wholly new one';

describe('the audit of what people change in Core', () => {
  const { core, member } = cast({ SINGLE_SESSION: false });

  const someone = async () => {
    const ann = await member({ displayName: 'Ann Example' });
    // Another one, which a change may end.
    await ann.session();
    const { codes, forgets } = ann;
    return { codes, forgets, ...(await ann.session()), id: await ann.id(), email: ann.email };
  };
  type Someone = Awaited<ReturnType<typeof someone>>;
  const beginsTwoFactor = async (ann: Someone) => {
    const { body } = await ann.post('/account/two-factor', { Password: PASSWORD }).expect(200);
    const { Secret } = body.TwoFactorSetup as { Secret: string };
    return { Secret, TwoFactorCode: authenticator(core().app, Secret).codeAt() };
  };

  /** The call of each change, and the secrets that its entry must not hold. */
  const changes: Record<string, (ann: Someone) => Promise<[AuditedChange['call'], string[]]>> = {
    'password.changed': async (ann) => {
      const body = { CurrentPassword: PASSWORD, Password: NEW_PASSWORD };
      return [() => ann.post('/account/change-password', body), [ann.email, NEW_PASSWORD]];
    },
    'password.reset': async (ann) => {
      const Code = await ann.forgets();
      const body = { Email: ann.email, Code, Password: NEW_PASSWORD };
      return [() => core().post('/account/reset-password', body), [ann.email, Code, NEW_PASSWORD]];
    },
    'email.change-requested': async (ann) => {
      const Email = someEmail();
      return [() => ann.post('/account/change-email', { Email, Password: PASSWORD }), [ann.email, Email]];
    },
    'email.changed': async (ann) => {
      const Email = someEmail();
      await ann.post('/account/change-email', { Email, Password: PASSWORD }).expect(200);
      const Code = codeIn(await core().app.mailsTo(Email));
      return [() => ann.post('/account/confirm-email', { Code }), [ann.email, Email, Code]];
    },
    'two-factor.enabled': async (ann) => {
      const { Secret, TwoFactorCode } = await beginsTwoFactor(ann);
      return [() => ann.post('/account/two-factor', { TwoFactorCode }), [Secret]];
    },
    'two-factor.recovery-codes-renewed': async (ann) => {
      const { recoveryCodes } = await switchOnTwoFactor(core().app, ann.id);
      return [() => ann.post('/account/recovery-codes', { TwoFactorCode: recoveryCodes[0] }), recoveryCodes];
    },
    'two-factor.disabled': async (ann) => {
      const { TwoFactorCode } = await beginsTwoFactor(ann);
      const on = await ann.post('/account/two-factor', { TwoFactorCode }).expect(200);
      const codes = on.body.RecoveryCodes as string[];
      return [() => ann.delete('/account/two-factor', { TwoFactorCode: codes[0] }), codes];
    },
  };

  for (const [action, arrange] of Object.entries(changes))
    it(`records ${action} atomically with the change`, async () => {
      moveClock(core().app, 0);
      const ann = await someone();
      const [call, secrets] = await arrange(ann);
      await assertAudited(core().app, action, { call, entry: { actorId: ann.id }, secrets });
    });
});
