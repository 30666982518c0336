import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { assertAudited, someEmail, type AuditedChange } from '@gatehouse/accounts/testing';
import { cast } from './testing/cast.ts';

describe('the audit of what people change in Portal', () => {
  const people = cast({ SINGLE_SESSION: false });
  const { accept, app, audit, linkTo, login, member, newContent, newToken, post } = people;

  const someone = () => people.someone({ displayName: 'Ann Example' });
  const invite = async (who: { Token: string }, email: string, ContentDefinitionId: string) =>
    (await post('/account/invite-user', who, { Emails: [email], ContentDefinitionId }).expect(200)).body
      .Items[0].UserId as string;

  const changes: Record<string, () => Promise<AuditedChange>> = {
    'user.invited': async () => {
      const ann = await someone();
      const friend = await member();
      const id = await newContent(ann);
      const body = { Emails: [friend.email], ContentDefinitionId: id };
      const details = { ContentDefinitionId: id, Result: 'AccessGranted' };
      const call = () => post('/account/invite-user', ann, body);
      const entry = { actorId: ann.id, targetId: friend.id, details };
      return { call, entry, secrets: [ann.email, friend.email] };
    },
    'user.removed': async () => {
      const token = await newToken();
      const email = someEmail();
      const id = await newContent();
      const guest = await invite(token, email, id);
      const details = { ContentDefinitionId: id, Result: 'InvitationDeleted' };
      const call = () => post('/account/remove-user', token, { Emails: [email], ContentId: id });
      const entry = { actorId: token.id, actorKind: 'ApiToken', targetId: guest, details } as const;
      return { call, entry, secrets: [email, token.Token] };
    },
    'guest.registered': async () => {
      const ann = await someone();
      const email = someEmail();
      const guest = await invite(ann, email, await newContent(ann));
      const InvitationToken = await linkTo(email);
      const call = () => accept(InvitationToken, { DisplayName: 'Gus Tester' });
      return { call, entry: { actorId: guest }, secrets: [email, InvitationToken, 'Gus Tester'] };
    },
    'profile.changed': async () => {
      const ann = await someone();
      const body = { DisplayName: 'Ann Elsewhere', Locale: 'de-AT' };
      const entry = { actorId: ann.id, details: { Changed: ['DisplayName', 'Locale'] } };
      return {
        call: () => people.call('put', '/account/profile', ann, body),
        entry,
        secrets: ['Elsewhere', 'de-AT'],
      };
    },
    'session.ended': async () => {
      const ann = await someone();
      const { sessionId } = await login(ann, { deviceName: 'Old phone' });
      const end = () => people.call('delete', `/account/session/${sessionId}`, ann);
      const entry = { actorId: ann.id, targetKind: 'UserSession', targetId: sessionId } as const;
      return { call: end, status: 204, entry, secrets: ['Old phone'] };
    },
  };

  for (const [action, arrange] of Object.entries(changes))
    it(`records ${action} atomically with the change`, async () =>
      await assertAudited(app(), action, await arrange()));

  it('has no entries for calls without effect', async () => {
    const ann = await someone();
    const friend = await member();
    const content = await newContent(ann);
    await invite(ann, friend.email, content);
    const { entries } = await audit();
    const again = await invite(ann, friend.email, content);
    assert.equal(again, friend.id);
    await post('/account/remove-user', ann, { Emails: [someEmail()], ContentId: content }).expect(200);
    await people.call('delete', `/account/session/${newId()}`, ann).expect(404);
    await people.call('put', '/account/profile', ann, { DisplayName: 'Ann Example' }).expect(200);
    assert.deepEqual((await audit()).entries, entries);
  });
});
