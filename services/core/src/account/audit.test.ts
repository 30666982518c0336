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
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

const NEW_PASSWORD = 'a wholly new one';

describe('the audit of what people change in Core', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions({ SINGLE_SESSION: false });
  });
  after(() => core.stop());

  const someone = async () => {
    const person = await core.newAccount({ displayName: 'Ann Example' });
    return { ...person, ...(await core.login(person)) };
  };

  const changes: Record<string, () => Promise<AuditedChange>> = {
    'password.changed': async () => {
      const ann = await someone();
      await core.login(ann);
      const body = { CurrentPassword: PASSWORD, Password: NEW_PASSWORD };
      return {
        call: () => core.post('/account/change-password', ann, body),
        entry: { actorId: ann.id },
        secrets: [ann.email, NEW_PASSWORD],
      };
    },
    'email.change-requested': async () => {
      const ann = await someone();
      const email = someEmail();
      return {
        call: () => core.post('/account/change-email', ann, { Email: email, Password: PASSWORD }),
        entry: { actorId: ann.id },
        secrets: [ann.email, email],
      };
    },
    'email.changed': async () => {
      const ann = await someone();
      const email = someEmail();
      await core.post('/account/change-email', ann, { Email: email, Password: PASSWORD }).expect(200);
      const Code = codeIn(await core.app.mailsTo(email));
      return {
        call: () => core.post('/account/confirm-email', ann, { Code }),
        entry: { actorId: ann.id },
        secrets: [ann.email, email, Code],
      };
    },
    'two-factor.enabled': async () => {
      const ann = await someone();
      const { body } = await core.post('/account/two-factor', ann, { Password: PASSWORD }).expect(200);
      const { Secret } = body.TwoFactorSetup as { Secret: string };
      const TwoFactorCode = authenticator(core.app, Secret).codeAt();
      return {
        call: () => core.post('/account/two-factor', ann, { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: [Secret],
      };
    },
    'two-factor.recovery-codes-renewed': async () => {
      const ann = await someone();
      const { recoveryCodes } = await switchOnTwoFactor(core.app, ann.id);
      const [TwoFactorCode = ''] = recoveryCodes;
      return {
        call: () => core.post('/account/recovery-codes', ann, { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: recoveryCodes,
      };
    },
    'two-factor.disabled': async () => {
      const ann = await someone();
      const { body } = await core.post('/account/two-factor', ann, { Password: PASSWORD }).expect(200);
      const { codeAt } = authenticator(core.app, body.TwoFactorSetup.Secret);
      const on = await core.post('/account/two-factor', ann, { TwoFactorCode: codeAt() }).expect(200);
      const TwoFactorCode = on.body.RecoveryCodes[0] as string;
      return {
        call: () => core.call('delete', '/account/two-factor', ann, { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: on.body.RecoveryCodes as string[],
      };
    },
  };

  for (const [action, arrange] of Object.entries(changes)) {
    it(`records ${action} atomically with the change`, async () => {
      moveClock(core.app, 0);
      await assertAudited(core.app, action, await arrange());
    });
  }
});
