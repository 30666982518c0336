import assert from 'node:assert/strict';
import { invitationTokenIn, PASSWORD, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { startPortal, type TestPortal } from '../testing/index.ts';

describe('POST /account/content/{id}/resend', () => {
  let portal: TestPortal;
  let owner: { id: string; email: string };
  let token: string;
  let content: string;
  before(async () => {
    portal = await startPortal();
  });
  beforeEach(async () => {
    owner = await portal.newAccount();
    token = (await portal.login(owner)).Token;
    content = await portal.newContent(owner);
  });
  after(() => portal.stop());

  const sql = (text: string, values: string[] = []) => query(portal.app.db, text, values);
  const invite = async (Emails: string[], to = content) =>
    portal.post('/account/invite-user', token, { Emails, ContentDefinitionId: to }).expect(200);
  const resendAs = (who: string, Emails: unknown[], to = content) =>
    portal.post(`/account/content/${to}/resend`, who, { Emails });
  const results = async (...emails: string[]): Promise<string[]> =>
    (await resendAs(token, emails).expect(200)).body.Items.map(({ Result }: { Result: string }) => Result);
  const mailsTo = async (email: string) => (await portal.app.mailsTo(email)).length;
  const accept = (InvitationToken: string) =>
    portal.post('/account/register-guest', undefined, {
      InvitationToken,
      Password: PASSWORD,
      DisplayName: 'Gus',
    });

  it('mails a new link instead of the older one, which may have expired', async () => {
    const email = someEmail();
    await invite([email]);
    const older = invitationTokenIn(await portal.app.mailsTo(email));
    await sql('update invitation set expires_at = now() where invited_email = ?', [email]);
    const { body } = await resendAs(token, [email.toUpperCase(), email]).expect(200);
    assert.equal(body.Items.length, 1);
    assert.equal(body.Items[0].Result, 'Reinvited');
    const newer = invitationTokenIn(await portal.app.mailsTo(email));
    await accept(older).expect(400);
    await accept(newer).expect(200);
  });

  it('does not invite others, give access, or reveal accounts', async () => {
    const [member, elsewhere, takenBack, stranger] = [
      await portal.newAccount(),
      someEmail(),
      someEmail(),
      someEmail(),
    ];
    await invite([elsewhere], await portal.newContent(owner));
    const withAccess = await portal.newAccount();
    await invite([withAccess.email, takenBack]);
    await portal.post('/account/remove-user', token, { Emails: [takenBack], ContentId: content }).expect(200);
    const emails = [member.email, elsewhere, takenBack, stranger, withAccess.email, owner.email];
    const before = await Promise.all(emails.map(mailsTo));
    assert.deepEqual(await results(...emails), Array(6).fill('NotInvited'));
    assert.deepEqual(await Promise.all(emails.map(mailsTo)), before);
    assert.equal(await accounts.findByEmailKey(portal.app.db, stranger), undefined);
    const held = await sql('select 1 from content_access where account_id = ?', [member.id]);
    assert.equal(held.length, 0);
  });

  it('has the same response for a disabled guest, and mails nothing', async () => {
    const email = someEmail();
    await invite([email]);
    await sql('update account set is_disabled = true where email = ?', [email]);
    assert.deepEqual(await results(email), ['Reinvited']);
    assert.equal(await mailsTo(email), 1);
  });

  it('works for invitations of an inviter who may no longer invite', async () => {
    const email = someEmail();
    const helper = await portal.newAccount({ role: 'Admin' });
    const { Token } = await portal.login(helper);
    const body = { Emails: [email], ContentDefinitionId: content };
    await portal.post('/account/invite-user', Token, body).expect(200);
    await sql('update account set is_disabled = true where id = ?', [helper.id]);
    assert.deepEqual(await results(email), ['Reinvited']);
    await accept(invitationTokenIn(await portal.app.mailsTo(email))).expect(200);
  });

  it('has the limits of invitations: five mails an hour to an address, two hundred a day per inviter', async () => {
    const email = someEmail();
    await invite([email]);
    for (let time = 2; time <= 7; time += 1) await results(email);
    assert.equal(await mailsTo(email), 5);
    await sql('update inviter_quota set sent = 199 where inviter_id = ?', [owner.id]);
    const other = someEmail();
    await invite([other]);
    const { headers } = await resendAs(token, [other]).expect(429);
    assert.ok(Number(headers['retry-after']) > 80_000);
    assert.equal(await mailsTo(other), 1);
    // A resend that changes nothing does not count.
    assert.deepEqual(await results(someEmail()), ['NotInvited']);
  });

  it('is in the audit with the owner as actor', async () => {
    const email = someEmail();
    await invite([email]);
    await results(email, someEmail());
    const account = await accounts.findByEmailKey(portal.app.db, email);
    const { entries } = await readAudit(portal.app);
    const found = entries.filter(({ targetId }) => targetId === account?.id);
    assert.deepEqual(
      new Set(found.map(({ action, actorId, details }) => [action, actorId, details['Result']].join(' '))),
      new Set([`user.invited ${owner.id} Invited`, `user.invited ${owner.id} Reinvited`]),
    );
  });

  it('sends one working link for ten concurrent requests', async () => {
    const email = someEmail();
    await invite([email]);
    await Promise.all(Array.from({ length: 10 }, () => results(email)));
    await accept(invitationTokenIn(await portal.app.mailsTo(email))).expect(200);
  });
});
