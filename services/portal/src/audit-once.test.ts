import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { cast } from './testing/cast.ts';

describe('audit of repeated or ineffective calls in Portal', () => {
  const { audit, call, login, member, newContent, post, sql } = cast({ SINGLE_SESSION: false });

  const someone = async () => {
    const person = await member({ displayName: 'Ann Example' });
    return { ...person, ...(await login(person)) };
  };
  const invite = async (who: { Token: string }, email: string, ContentDefinitionId: string) =>
    (await post('/account/invite-user', who, { Emails: [email], ContentDefinitionId }).expect(200)).body
      .Items[0].UserId as string;

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

  it('has one entry for a session ended by concurrent calls', async () => {
    const ann = await someone();
    const { sessionId } = await login(ann);
    await Promise.all(Array.from({ length: 8 }, () => call('delete', `/account/session/${sessionId}`, ann)));
    const rows = await sql('select id from audit where target_id = ?', [sessionId]);
    assert.equal(rows.length, 1);
  });
});
