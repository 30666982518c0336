import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { cast } from '../testing/cast.ts';

describe('POST /account/resend-invitation', () => {
  const { accept, app, audit, linkTo, mailsTo, newContent, post, sql, useOwner } = cast({});
  const olga = useOwner();

  const invited = async () => (await olga.mailsLink()).email;
  /** Requests a resend, waits until it is processed, and returns the number of mails. */
  const resend = async (email: string, typed = email): Promise<number> => {
    const before = (await mailsTo(email)).length;
    await post('/account/resend-invitation', undefined, { Email: typed }).expect(200, {});
    await eventually(async () => (await sql('select id from invitation_request')).length === 0, 15);
    return (await mailsTo(email)).length - before;
  };

  it('mails a new link instead of the older one', async () => {
    const { email, token: older } = await olga.mailsLink();
    assert.equal(await resend(email, email.toUpperCase()), 1);
    const newer = await linkTo(email);
    assert.notEqual(newer, older);
    await accept(older).expect(400);
    await accept(newer).expect(200);
  });

  it('resends an expired invitation, and the newest of several', async () => {
    const email = await invited();
    const other = await newContent(olga);
    await olga.invite(email, { ContentDefinitionId: other });
    await sql('update invitation set expires_at = now() where invited_email = ?', [email]);
    assert.equal(await resend(email), 1);
    const alive =
      'select content_definition_id as id from invitation where expires_at > now() and invited_email = ?';
    assert.deepEqual(await sql(alive, [email]), [{ id: other }]);
    await accept(await linkTo(email)).expect(200);
  });

  it('has the same response if there is no invitation, mails nothing, and changes nothing', async () => {
    const registered = await invited();
    await accept(await linkTo(registered)).expect(200);
    const others = [registered, olga.email, someEmail()];
    for (const change of [
      'update account set is_disabled = true where email = ?',
      'update account set expires_at = now() where email = ?',
      'update account set expires_at = now(), content_expired_at = now() where email = ?',
      "update invitation set invited_at = now() - interval '31 days' where invited_email = ?",
      'update invitation set deleted_at = now() where invited_email = ?',
    ]) {
      const email = await invited();
      await sql(change, [email]);
      others.push(email);
    }
    for (const email of others) {
      const before = await sql('select * from account where email = ?', [email]);
      assert.equal(await resend(email), 0, email);
      assert.deepEqual(await sql('select * from account where email = ?', [email]), before);
    }
  });

  it('mails nothing once the inviter may no longer invite', async () => {
    const email = await invited();
    await sql('update account set is_disabled = true where id = ?', [olga.id]);
    assert.equal(await resend(email), 0);
  });

  it('mails at most five an hour, independent of inviters', async () => {
    const email = await invited();
    for (let time = 1; time <= 6; time += 1) assert.equal(await resend(email), time <= 5 ? 1 : 0);
    await olga.invite(email);
    assert.equal((await mailsTo(email)).length, 7);
  });

  it('is in the audit without an actor', async () => {
    const email = await invited();
    await resend(email);
    const account = await accounts.findByEmailKey(app().db, email);
    const { entries, text } = await audit({ action: 'invitation.resent' });
    const [entry] = entries.filter(({ details }) => details['UserId'] === account?.id);
    assert.deepEqual([entry?.actorKind, entry?.actorId, entry?.targetKind], ['System', null, 'Invitation']);
    assert.ok(!text.includes(email));
  });
});

describe('POST /account/content/{id}/resend', () => {
  const { accept, app, audit, linkTo, login, mailsTo, member, newContent, post, sql, useOwner } = cast();
  const olga = useOwner();

  const invite = (Emails: string[], to = olga.content) =>
    olga.invites(Emails, { ContentDefinitionId: to }).expect(200);
  const invited = async () => (await olga.mailsLink()).email;
  const resendAs = (who: string, Emails: unknown[], to = olga.content) =>
    post(`/account/content/${to}/resend`, who, { Emails });
  const results = async (...emails: string[]) =>
    fieldsOf((await resendAs(olga.Token, emails).expect(200)).body.Items, 'Result');
  const mailsSentTo = async (email: string) => (await mailsTo(email)).length;

  it('mails a new link instead of the older one, which may have expired', async () => {
    const { email, token: older } = await olga.mailsLink();
    await sql('update invitation set expires_at = now() where invited_email = ?', [email]);
    const { body } = await resendAs(olga.Token, [email.toUpperCase(), email]).expect(200);
    assert.deepEqual(fieldsOf(body.Items, 'Result'), ['Reinvited']);
    const newer = await linkTo(email);
    await accept(older).expect(400);
    await accept(newer).expect(200);
  });

  it('does not invite others, give access, or reveal accounts', async () => {
    const [friend, elsewhere, takenBack, stranger] = [await member(), someEmail(), someEmail(), someEmail()];
    await invite([elsewhere], await newContent(olga));
    const withAccess = await member();
    await invite([withAccess.email, takenBack]);
    await olga.removes({ Emails: [takenBack] }).expect(200);
    const emails = [friend.email, elsewhere, takenBack, stranger, withAccess.email, olga.email];
    const before = await Promise.all(emails.map(mailsSentTo));
    assert.deepEqual(await results(...emails), Array(6).fill('NotInvited'));
    assert.deepEqual(await Promise.all(emails.map(mailsSentTo)), before);
    assert.equal(await accounts.findByEmailKey(app().db, stranger), undefined);
    assert.deepEqual(await sql('select 1 from content_access where account_id = ?', [friend.id]), []);
  });

  it('has the same response for a disabled guest, and mails nothing', async () => {
    const email = await invited();
    await sql('update account set is_disabled = true where email = ?', [email]);
    assert.deepEqual(await results(email), ['Reinvited']);
    assert.equal(await mailsSentTo(email), 1);
  });

  it('works for invitations of an inviter who may no longer invite', async () => {
    const email = someEmail();
    const helper = await member({ role: 'Admin' });
    const { Token } = await login(helper);
    const body = { Emails: [email], ContentDefinitionId: olga.content };
    await post('/account/invite-user', Token, body).expect(200);
    await sql('update account set is_disabled = true where id = ?', [helper.id]);
    assert.deepEqual(await results(email), ['Reinvited']);
    await accept(await linkTo(email)).expect(200);
  });

  it('has the limits of invitations: five mails an hour to an address, two hundred a day per inviter', async () => {
    const email = await invited();
    for (let time = 2; time <= 7; time += 1) await results(email);
    assert.equal(await mailsSentTo(email), 5);
    await sql('update inviter_quota set sent = 199 where inviter_id = ?', [olga.id]);
    const other = someEmail();
    await invite([other]);
    const { headers } = await resendAs(olga.Token, [other]).expect(429);
    assert.ok(Number(headers['retry-after']) > 80_000);
    assert.equal(await mailsSentTo(other), 1);
    // A resend that changes nothing does not count.
    assert.deepEqual(await results(someEmail()), ['NotInvited']);
  });

  it('is in the audit with the owner as actor', async () => {
    const email = await invited();
    await results(email, someEmail());
    const targetId = (await accounts.findByEmailKey(app().db, email))?.id ?? '';
    const { entries } = await audit({ targetId });
    assert.deepEqual(
      entries.map(({ action, actorId, details }) => [action, actorId, details['Result']]),
      ['Reinvited', 'Invited'].map((result) => ['user.invited', olga.id, result]),
    );
  });

  it('sends one working link for ten concurrent requests', async () => {
    const email = await invited();
    await Promise.all(Array.from({ length: 10 }, () => results(email)));
    await accept(await linkTo(email)).expect(200);
  });
});
