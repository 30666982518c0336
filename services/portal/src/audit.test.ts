import {
  assertAudited,
  invitationTokenIn,
  PASSWORD,
  someEmail,
  type AuditedChange,
} from '@gatehouse/accounts/testing';
import { startPortal, type TestPortal } from './testing/index.ts';

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

  const changes: Record<string, () => Promise<AuditedChange>> = {
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
    'profile.changed': async () => {
      const ann = await someone();
      const body = { DisplayName: 'Ann Elsewhere', Locale: 'de-AT' };
      return {
        call: () => portal.call('put', '/account/profile', ann, body),
        entry: { actorId: ann.id, details: { Changed: ['DisplayName', 'Locale'] } },
        secrets: ['Elsewhere', 'de-AT'],
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
      await assertAudited(portal.app, action, await arrange());
    });
  }
});
