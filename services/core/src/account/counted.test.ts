import assert from 'node:assert/strict';
import { changeAccount, createAccount } from '@gatehouse/accounts';
import { activity, query } from '@gatehouse/db';
import { cast, type Person } from '../testing/cast.ts';
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
const BY = { actor: { kind: 'System' }, origin: { traceId: '0', dueAt: Infinity } } as const;

describe('the statistics of accounts and sessions', () => {
  const { core, someone, member } = cast({ LOGIN_FAILURES_FREE: 2 });

  /** The activity counted during some work. */
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

  it('count a registration and its verification', async () => {
    const ann = someone();
    const counted = await countedIn(async () => {
      await ann.registers().expect(200);
      await ann.verifies((await ann.codes())[0]).expect(200);
    });
    assert.deepEqual(counted, { registration: 1, verification: 1 });
  });

  it('count logins, replaced sessions, refreshes and logouts', async () => {
    const ann = await member();
    const counted = await countedIn(async () => {
      await ann.session();
      const session = await ann.session();
      await session.refreshes().expect(200);
      await ann.post('/account/refresh-token', { RefreshToken: 'x' }).expect(401);
      await session.logsOut().expect(200);
    });
    assert.deepEqual(counted, {
      'login.password': 2,
      refresh: 1,
      'session.logout': 1,
      'session.replaced': 1,
    });
  });

  it('count the reasons of refused logins', async () => {
    const [ann, disabled] = [await member(), await member()];
    await disabled.set('is_disabled = true');
    const counted = await countedIn(async () => {
      await disabled.logsIn().expect(403);
      await someone('nobody at all').logsIn().expect(404);
      for (let time = 0; time < 2; time += 1) await ann.logsIn('wrong').expect(404);
      await ann.logsIn().expect(429);
      await ann
        .post('/account/login', { TwoFactorToken: 'x'.repeat(43), TwoFactorCode: '123456' })
        .expect(404);
    });
    assert.deepEqual(counted, {
      'refused.account_disabled': 1,
      'refused.password': 3,
      'refused.second-factor': 1,
      'refused.throttled': 1,
    });
  });

  it('count password resets, and the sessions that they end', async () => {
    const ann = await member();
    await ann.session();
    const counted = await countedIn(async () => {
      const code = await ann.forgets();
      await ann.resets(code, PASSWORD).expect(200);
      await ann.resets(code, PASSWORD).expect(400);
    });
    assert.deepEqual(counted, { reset: 1, 'session.password_reset': 1 });
  });
});

describe('events for registration, verification and password reset', () => {
  const { core, someone, member } = cast({});
  // Unpublished events stay in the outbox, where the tests read them.
  before(() => core().app.relay.stop());

  const eventsOf = async (ann: Person) => {
    const rows = await query<{ data: object }>(
      core().app.db,
      `select event -> 'data' as data from outbox
       where type = 'account.updated' and event -> 'data' ->> 'UserId' = ? order by id`,
      [await ann.id()],
    );
    return rows.map(({ data }) => data);
  };

  it('contain the name that the owner of a pending account completes it with', async () => {
    const ann = someone();
    const wish = { email: ann.email, displayName: 'Ann', locale: undefined, isMigrated: false } as const;
    await createAccount(core().app, { ...wish, role: 'User', password: undefined }, BY);
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
    await changeAccount(core().app, UserId, { isNewPasswordRequired: true }, BY);
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
    return { ...(await ann.session()), id: await ann.id(), email: ann.email };
  };

  const changes: Record<string, () => Promise<AuditedChange>> = {
    'password.changed': async () => {
      const ann = await someone();
      const body = { CurrentPassword: PASSWORD, Password: NEW_PASSWORD };
      return {
        call: () => ann.post('/account/change-password', body),
        entry: { actorId: ann.id },
        secrets: [ann.email, NEW_PASSWORD],
      };
    },
    'password.reset': async () => {
      const ann = await member();
      await ann.session();
      const Code = await ann.forgets();
      const body = { Email: ann.email, Code, Password: NEW_PASSWORD };
      return {
        call: () => core().post('/account/reset-password', body),
        entry: { actorId: await ann.id() },
        secrets: [ann.email, Code, NEW_PASSWORD],
      };
    },
    'email.change-requested': async () => {
      const ann = await someone();
      const email = someEmail();
      return {
        call: () => ann.post('/account/change-email', { Email: email, Password: PASSWORD }),
        entry: { actorId: ann.id },
        secrets: [ann.email, email],
      };
    },
    'email.changed': async () => {
      const ann = await someone();
      const email = someEmail();
      await ann.post('/account/change-email', { Email: email, Password: PASSWORD }).expect(200);
      const Code = codeIn(await core().app.mailsTo(email));
      return {
        call: () => ann.post('/account/confirm-email', { Code }),
        entry: { actorId: ann.id },
        secrets: [ann.email, email, Code],
      };
    },
    'two-factor.enabled': async () => {
      const ann = await someone();
      const { body } = await ann.post('/account/two-factor', { Password: PASSWORD }).expect(200);
      const { Secret } = body.TwoFactorSetup as { Secret: string };
      const TwoFactorCode = authenticator(core().app, Secret).codeAt();
      return {
        call: () => ann.post('/account/two-factor', { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: [Secret],
      };
    },
    'two-factor.recovery-codes-renewed': async () => {
      const ann = await someone();
      const { recoveryCodes } = await switchOnTwoFactor(core().app, ann.id);
      const [TwoFactorCode = ''] = recoveryCodes;
      return {
        call: () => ann.post('/account/recovery-codes', { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: recoveryCodes,
      };
    },
    'two-factor.disabled': async () => {
      const ann = await someone();
      const { body } = await ann.post('/account/two-factor', { Password: PASSWORD }).expect(200);
      const { codeAt } = authenticator(core().app, body.TwoFactorSetup.Secret);
      const on = await ann.post('/account/two-factor', { TwoFactorCode: codeAt() }).expect(200);
      const TwoFactorCode = on.body.RecoveryCodes[0] as string;
      return {
        call: () => ann.delete('/account/two-factor', { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: on.body.RecoveryCodes as string[],
      };
    },
  };

  for (const [action, arrange] of Object.entries(changes)) {
    it(`records ${action} atomically with the change`, async () => {
      moveClock(core().app, 0);
      await assertAudited(core().app, action, await arrange());
    });
  }
});
