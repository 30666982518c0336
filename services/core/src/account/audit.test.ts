import {
  assertAudited,
  authenticator,
  codeIn,
  moveClock,
  PASSWORD,
  someEmail,
  switchOnTwoFactor,
  type AuditedChange,
} from '@gatehouse/accounts/testing';
import { cast } from '../testing/cast.ts';

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
