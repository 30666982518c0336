import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { assertAudited, PASSWORD, someEmail, type AuditedChange } from '@gatehouse/accounts/testing';
import { cast } from './testing/cast.ts';

describe('the audit of what people change in Portal', () => {
  const { app, audit, call, linkTo, login, member, newContent, newToken, post } = cast({
    SINGLE_SESSION: false,
  });

  const someone = async () => {
    const person = await member({ displayName: 'Ann Example' });
    return { ...person, ...(await login(person)) };
  };
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
      return {
        call: () => post('/account/invite-user', ann, body),
        entry: { actorId: ann.id, targetId: friend.id, details },
        secrets: [ann.email, friend.email],
      };
    },
    'user.removed': async () => {
      const token = await newToken();
      const email = someEmail();
      const id = await newContent();
      const guest = await invite(token, email, id);
      const details = { ContentDefinitionId: id, Result: 'InvitationDeleted' };
      return {
        call: () => post('/account/remove-user', token, { Emails: [email], ContentId: id }),
        entry: { actorId: token.id, actorKind: 'ApiToken', targetId: guest, details },
        secrets: [email, token.Token],
      };
    },
    'guest.registered': async () => {
      const ann = await someone();
      const email = someEmail();
      const guest = await invite(ann, email, await newContent(ann));
      const InvitationToken = await linkTo(email);
      const body = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus Tester' };
      return {
        call: () => post('/account/register-guest', undefined, body),
        entry: { actorId: guest },
        secrets: [email, InvitationToken, 'Gus Tester'],
      };
    },
    'profile.changed': async () => {
      const ann = await someone();
      const body = { DisplayName: 'Ann Elsewhere', Locale: 'de-AT' };
      return {
        call: () => call('put', '/account/profile', ann, body),
        entry: { actorId: ann.id, details: { Changed: ['DisplayName', 'Locale'] } },
        secrets: ['Elsewhere', 'de-AT'],
      };
    },
    'session.ended': async () => {
      const ann = await someone();
      const { sessionId } = await login(ann, { deviceName: 'Old phone' });
      return {
        call: () => call('delete', `/account/session/${sessionId}`, ann),
        status: 204,
        entry: { actorId: ann.id, targetKind: 'UserSession', targetId: sessionId },
        secrets: ['Old phone'],
      };
    },
  };

  for (const [action, arrange] of Object.entries(changes)) {
    it(`records ${action} atomically with the change`, async () => {
      await assertAudited(app(), action, await arrange());
    });
  }

  it('has no entries for calls without effect', async () => {
    const ann = await someone();
    const friend = await member();
    const content = await newContent(ann);
    await invite(ann, friend.email, content);
    const { entries } = await audit();
    const again = await invite(ann, friend.email, content);
    assert.equal(again, friend.id);
    await post('/account/remove-user', ann, { Emails: [someEmail()], ContentId: content }).expect(200);
    await call('delete', `/account/session/${newId()}`, ann).expect(404);
    await call('put', '/account/profile', ann, { DisplayName: 'Ann Example' }).expect(200);
    assert.deepEqual((await audit()).entries, entries);
  });

  it('has an entry for each person invited in one request', async () => {
    const ann = await someone();
    const Emails = [someEmail(), someEmail(), (await member()).email];
    const ContentDefinitionId = await newContent(ann);
    const { body } = await post('/account/invite-user', ann, { Emails, ContentDefinitionId }).expect(200);
    const { entries } = await audit({ actorId: ann.id });
    const results = new Map(entries.map(({ targetId, details }) => [targetId, details['Result']]));
    const items = body.Items as { UserId: string; Result: string }[];
    assert.deepEqual(results, new Map(items.map(({ UserId, Result }) => [UserId, Result] as const)));
    assert.equal(entries.length, Emails.length);
    assert.equal(new Set(entries.map(({ traceId }) => traceId)).size, 1);
  });
});
