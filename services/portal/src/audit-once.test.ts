import assert from 'node:assert/strict';
import { readAudit, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startPortal, type TestPortal } from './testing/index.ts';

describe('audit of repeated or ineffective calls in Portal', () => {
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

  it('has no entries for calls without effect', async () => {
    const ann = await someone();
    const friend = await portal.newAccount();
    const content = await portal.newContent(ann);
    await invite(ann, friend.email, content);
    const { entries } = await readAudit(portal.app);
    const again = await invite(ann, friend.email, content);
    assert.equal(again, friend.id);
    await portal.post('/account/remove-user', ann, { Emails: [someEmail()], ContentId: content }).expect(200);
    await portal.call('delete', `/account/session/${newId()}`, ann).expect(404);
    await portal.call('put', '/account/profile', ann, { DisplayName: 'Ann Example' }).expect(200);
    assert.deepEqual((await readAudit(portal.app)).entries, entries);
  });

  it('has an entry for each person invited in one request', async () => {
    const ann = await someone();
    const Emails = [someEmail(), someEmail(), (await portal.newAccount()).email];
    const ContentDefinitionId = await portal.newContent(ann);
    const { body } = await portal
      .post('/account/invite-user', ann, { Emails, ContentDefinitionId })
      .expect(200);
    const { entries } = await readAudit(portal.app, { actorId: ann.id });
    const results = new Map(entries.map(({ targetId, details }) => [targetId, details['Result']]));
    const items = body.Items as { UserId: string; Result: string }[];
    assert.deepEqual(results, new Map(items.map(({ UserId, Result }) => [UserId, Result] as const)));
    assert.equal(entries.length, Emails.length);
    assert.equal(new Set(entries.map(({ traceId }) => traceId)).size, 1);
  });

  it('has one entry for a session ended by concurrent calls', async () => {
    const ann = await someone();
    const { sessionId } = await portal.login(ann);
    await Promise.all(
      Array.from({ length: 8 }, () => portal.call('delete', `/account/session/${sessionId}`, ann)),
    );
    const rows = await query(portal.app.db, 'select id from audit where target_id = ?', [sessionId]);
    assert.equal(rows.length, 1);
  });
});
