import assert from 'node:assert/strict';
import {
  authenticator,
  codeIn,
  invitationTokenIn,
  moveClock,
  PASSWORD,
  readAudit,
  readTables,
  someAddress,
  someEmail,
  switchOnTwoFactor,
  whileAuditFails,
  whileCommitsFail,
} from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { startPortal, type TestPortal } from './testing/index.ts';

const NEW_PASSWORD = 'a wholly new one';

/** A change to make, and the expected audit entry. */
interface Change {
  call: () => ReturnType<TestPortal['post']>;
  status?: number;
  entry: { actorId: string; actorKind?: string; targetKind?: string; targetId?: string; details?: object };
  /** Values that must not be in the audit. */
  secrets: string[];
}

describe('the audit of what people change in Portal', () => {
  let portal: TestPortal;
  before(async () => {
    portal = await startPortal({ SINGLE_SESSION: false });
  });
  after(() => portal.stop());

  const someone = async () => {
    const person = await portal.newAccount({ displayName: 'Ann Example' });
    return { ...person, ...(await portal.login(person)) };
  };
  const invite = async (who: { Token: string }, email: string, ContentDefinitionId: string) =>
    (await portal.post('/account/invite-user', who, { Emails: [email], ContentDefinitionId }).expect(200))
      .body.Items[0].UserId as string;

  const changes: Record<string, () => Promise<Change>> = {
    'user.invited': async () => {
      const ann = await someone();
      const friend = await portal.newAccount();
      const id = await portal.newContent(ann);
      const body = { Emails: [friend.email], ContentDefinitionId: id };
      const details = { ContentDefinitionId: id, Result: 'AccessGranted' };
      return {
        call: () => portal.post('/account/invite-user', ann, body),
        entry: { actorId: ann.id, targetId: friend.id, details },
        secrets: [ann.email, friend.email],
      };
    },
    'user.removed': async () => {
      const token = await portal.newToken();
      const email = someEmail();
      const id = await portal.newContent();
      const guest = await invite(token, email, id);
      const details = { ContentDefinitionId: id, Result: 'InvitationDeleted' };
      return {
        call: () => portal.post('/account/remove-user', token, { Emails: [email], ContentId: id }),
        entry: { actorId: token.id, actorKind: 'ApiToken', targetId: guest, details },
        secrets: [email, token.Token],
      };
    },
    'guest.registered': async () => {
      const ann = await someone();
      const email = someEmail();
      const guest = await invite(ann, email, await portal.newContent(ann));
      const InvitationToken = invitationTokenIn(await portal.app.mailsTo(email));
      const body = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus Tester' };
      return {
        call: () => portal.post('/account/register-guest', undefined, body),
        entry: { actorId: guest },
        secrets: [email, InvitationToken, 'Gus Tester'],
      };
    },
    'password.changed': async () => {
      const ann = await someone();
      await portal.login(ann);
      const body = { CurrentPassword: PASSWORD, Password: NEW_PASSWORD };
      return {
        call: () => portal.post('/account/change-password', ann, body),
        entry: { actorId: ann.id },
        secrets: [ann.email, NEW_PASSWORD],
      };
    },
    'email.change-requested': async () => {
      const ann = await someone();
      const email = someEmail();
      return {
        call: () => portal.post('/account/change-email', ann, { Email: email, Password: PASSWORD }),
        entry: { actorId: ann.id },
        secrets: [ann.email, email],
      };
    },
    'email.changed': async () => {
      const ann = await someone();
      const email = someEmail();
      await portal.post('/account/change-email', ann, { Email: email, Password: PASSWORD }).expect(200);
      const Code = codeIn(await portal.app.mailsTo(email));
      return {
        call: () => portal.post('/account/confirm-email', ann, { Code }),
        entry: { actorId: ann.id },
        secrets: [ann.email, email, Code],
      };
    },
    'profile.changed': async () => {
      const ann = await someone();
      const body = { DisplayName: 'Ann Elsewhere', Locale: 'de-AT' };
      return {
        call: () => portal.call('put', '/account/profile', ann, body),
        entry: { actorId: ann.id, details: { Changed: ['DisplayName', 'Locale'] } },
        secrets: ['Elsewhere', 'de-AT'],
      };
    },
    'two-factor.enabled': async () => {
      const ann = await someone();
      const { body } = await portal.post('/account/two-factor', ann, { Password: PASSWORD }).expect(200);
      const { Secret } = body.TwoFactorSetup as { Secret: string };
      const TwoFactorCode = authenticator(portal.app, Secret).codeAt();
      return {
        call: () => portal.post('/account/two-factor', ann, { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: [Secret],
      };
    },
    'two-factor.recovery-codes-renewed': async () => {
      const ann = await someone();
      const { recoveryCodes } = await switchOnTwoFactor(portal.app, ann.id);
      const [TwoFactorCode = ''] = recoveryCodes;
      return {
        call: () => portal.post('/account/recovery-codes', ann, { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: recoveryCodes,
      };
    },
    'two-factor.disabled': async () => {
      const ann = await someone();
      const { body } = await portal.post('/account/two-factor', ann, { Password: PASSWORD }).expect(200);
      const { codeAt } = authenticator(portal.app, body.TwoFactorSetup.Secret);
      const on = await portal.post('/account/two-factor', ann, { TwoFactorCode: codeAt() }).expect(200);
      const TwoFactorCode = on.body.RecoveryCodes[0] as string;
      return {
        call: () => portal.call('delete', '/account/two-factor', ann, { TwoFactorCode }),
        entry: { actorId: ann.id },
        secrets: on.body.RecoveryCodes as string[],
      };
    },
    'session.ended': async () => {
      const ann = await someone();
      const { sessionId } = await portal.login(ann, { deviceName: 'Old phone' });
      return {
        call: () => portal.call('delete', `/account/session/${sessionId}`, ann),
        status: 204,
        entry: { actorId: ann.id, targetKind: 'UserSession', targetId: sessionId },
        secrets: ['Old phone'],
      };
    },
  };

  for (const [action, arrange] of Object.entries(changes)) {
    it(`records ${action} atomically with the change`, async () => {
      moveClock(portal.app, 0);
      const { call, status = 200, entry, secrets } = await arrange();
      const before = await readTables(portal.app);
      for (const whileFaulty of [whileAuditFails, whileCommitsFail]) {
        await whileFaulty(portal.app, () => call().expect(500));
        assert.deepEqual(await readTables(portal.app), before, whileFaulty.name);
      }

      const [address, traceId] = [someAddress(), newId().replaceAll('-', '')];
      const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
      await call().set({ 'x-forwarded-for': address, traceparent }).expect(status);
      const target = { targetId: entry.targetId ?? entry.actorId };
      const { entries, text } = await readAudit(portal.app, { ...target, actorId: entry.actorId });
      const [{ id, at, ...recorded } = assert.fail('nothing is recorded'), ...more] = entries.filter(
        (one) => one.action === action,
      );
      assert.deepEqual(recorded, {
        action,
        actorKind: 'Account',
        targetKind: 'Account',
        ...target,
        details: {},
        ipAddress: address,
        traceId,
        ...entry,
      });
      assert.equal(more.length, 0, `${id} ${at.toISOString()}`);
      for (const secret of [...secrets, PASSWORD, '@example.com']) assert.ok(!text.includes(secret), secret);
    });
  }
});
