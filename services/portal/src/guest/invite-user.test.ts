import assert from 'node:assert/strict';
import { invitationTokenIn, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { accounts, contentDefinitions, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { cast, problem, type Invited } from '../testing/cast.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

describe('POST /account/invite-user', () => {
  const { accept, app, mailsTo, member, newContent, sql, useOwner } = cast({});
  const olga = useOwner('Olga');

  const invite = async (Emails: unknown[], to = olga.content) =>
    (await olga.invites(Emails, { ContentDefinitionId: to }).expect(200)).body.Items as Invited[];
  const results = async (...emails: string[]) => (await invite(emails)).map(({ Result }) => Result);

  it('creates a pending guest for an unknown email and mails the link', async () => {
    const email = someEmail();
    const [item] = await invite([email]);
    assert.deepEqual([item?.Email, item?.Result], [email, 'Invited']);
    const account = (await accounts.findById(app().db, item?.UserId ?? '')) ?? assert.fail();
    const { role, signup, passwordScheme, isEmailVerified } = account;
    assert.deepEqual([role, signup, passwordScheme, isEmailVerified], ['Guest', 'invitation', null, false]);
    const mails = await mailsTo(email);
    const { ContentName, InviterName } = { ContentName: '', InviterName: '', ...mails[0]?.content };
    assert.deepEqual([ContentName, InviterName], ['The board meets', 'Olga']);
    assert.deepEqual(fieldsOf(mails, 'type'), ['guest.invited']);
    assert.match(invitationTokenIn(mails), /^[A-Za-z0-9_-]{43}$/);
  });

  it('gives access at once to an existing account, with a mail, and keeps its role; the owner has it', async () => {
    const user = await member();
    const [item] = await invite([user.email]);
    assert.deepEqual(item, { Email: user.email, UserId: user.id, Result: 'AccessGranted' });
    const [mail] = await mailsTo(user.email);
    assert.equal(mail?.type, 'guest.access-granted');
    assert.equal((await accounts.findById(app().db, user.id))?.role, 'User');
    assert.deepEqual(await results(user.email, olga.email), ['AlreadyHasAccess', 'AlreadyHasAccess']);
    assert.equal((await mailsTo(user.email)).length, 1);
  });

  it('invalidates the older link when it mails a new one', async () => {
    const email = someEmail();
    assert.deepEqual(await results(email), ['Invited']);
    const older = invitationTokenIn(await mailsTo(email));
    assert.deepEqual(await results(email), ['Reinvited']);
    const newer = invitationTokenIn(await mailsTo(email));
    assert.notEqual(newer, older);
    await accept(older).expect(problem('invalid_invitation'));
    await accept(newer).expect(200, {});
  });

  it('treats spellings of one email as one', async () => {
    const email = someEmail();
    const items = await invite([email, email.toUpperCase(), ` ${email} `, `x.${email}`]);
    assert.deepEqual(fieldsOf(items, 'Email'), [email, `x.${email}`]);
    assert.equal((await mailsTo(email)).length, 1);
  });

  it('reports every invalid address and invites nobody', async () => {
    const good = someEmail();
    const { body } = await olga.invites([good, 'no email', `${good}\nBcc: x@example.com`]).expect(400);
    const pointers = (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
    assert.deepEqual([...new Set(pointers)], ['/Emails/1', '/Emails/2']);
    assert.equal((await mailsTo(good)).length, 0);
    for (const Emails of [[], Array.from({ length: 101 }, someEmail)]) await olga.invites(Emails).expect(400);
  });

  it('responds with 404 for content that is unknown, or was deleted meanwhile', async () => {
    await inTransaction(app().db, NO_DEADLINE, (tx) => contentDefinitions.remove(tx, olga.content));
    for (const ContentDefinitionId of [newId(), olga.content])
      await olga.invites([someEmail()], { ContentDefinitionId }).expect(404);
  });

  it('sends at most five mails an hour to an address; the last link keeps working', async () => {
    const email = someEmail();
    for (let mail = 0; mail < 7; mail += 1) await invite([email]);
    assert.equal((await mailsTo(email)).length, 5);
    const other = await newContent(olga);
    assert.deepEqual(fieldsOf(await invite([email], other), 'Result'), ['Invited']);
    assert.equal((await mailsTo(email)).length, 5);
    const InvitationToken = invitationTokenIn(await mailsTo(email));
    await accept(InvitationToken).expect(200);
    assert.deepEqual(fieldsOf(await invite([email], other), 'Result'), ['AlreadyHasAccess']);
  });

  it('sends at most two hundred invitations a day per inviter, all of a request or none', async () => {
    const many = (count: number) => Array.from({ length: count }, someEmail);
    await invite(many(100));
    await invite(many(99));
    const [first = '', second = ''] = many(2);
    const refused = await olga.invites([first, second]).expect(problem('too_many_requests'));
    assert.ok(Number(refused.headers['retry-after']) > 80_000);
    assert.equal((await mailsTo(first)).length, 0);
    assert.equal(await accounts.findByEmailKey(app().db, first), undefined);
    assert.deepEqual(await results(first), ['Invited']);
    await olga.invites([second]).expect(429);
    await sql(`update inviter_quota set window_started_at = now() - interval '1 day'`);
    assert.deepEqual(await results(second), ['Invited']);
  });

  it('gives a disabled account access but no mail, and its pending guest no link', async () => {
    const user = await member();
    const guest = someEmail();
    await invite([guest]);
    await sql('update account set is_disabled = true where email in (?, ?)', [user.email, guest]);
    assert.deepEqual(await results(user.email, guest), ['AccessGranted', 'Reinvited']);
    assert.equal((await mailsTo(user.email)).length, 0);
    assert.equal((await mailsTo(guest)).length, 1);
  });

  it('creates one pending invitation for ten concurrent requests', async () => {
    const [one, two] = [someEmail(), someEmail()];
    const calls = Array.from({ length: 10 }, (_, index) => invite(index % 2 === 0 ? [one, two] : [two, one]));
    const items = (await Promise.all(calls)).flat();
    for (const email of [one, two]) {
      const found = items.filter(({ Email }) => Email === email);
      assert.equal(found.filter(({ Result }) => Result === 'Invited').length, 1);
      assert.equal(new Set(found.map(({ UserId }) => UserId)).size, 1);
    }
    const pending = await sql('select 1 from invitation where content_definition_id = ?', [olga.content]);
    assert.equal(pending.length, 2);
  });
});

/** A stranger may have registered the address: their password must not open what is shared with its owner. */
describe('POST /account/invite-user for an address that was registered and never verified', () => {
  const { accept, app, eventsOf, linkTo, member, newContent, sql, useOwner } = cast();
  const olga = useOwner();

  const newUnverified = async () => {
    const registered = await member({ displayName: 'A stranger' });
    await registered.set('email_verified_at = null, is_contested = true');
    const code = `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
      values (?, 'verify', gen_random_uuid(), '', 500, now() + interval '1 day')`;
    await sql(code, [registered.id]);
    return registered;
  };
  const resultOf = async (email: string) => (await olga.invite(email)).Result;
  const stateOf = async (id: string) => {
    const { role, signup, passwordScheme, displayName, isContested } =
      (await accounts.findById(app().db, id)) ?? assert.fail();
    return { role, signup, passwordScheme, displayName, isContested };
  };

  it('mails a link, and voids the password, the name and the codes of the registration', async () => {
    const { id, email } = await newUnverified();
    assert.equal(await resultOf(email), 'Invited');
    const voided = { passwordScheme: null, displayName: null, isContested: false };
    assert.deepEqual(await stateOf(id), { role: 'Guest', signup: 'invitation', ...voided });
    assert.deepEqual(await sql('select 1 from account_code where account_id = ?', [id]), []);
    assert.deepEqual(await sql('select 1 from content_access where account_id = ?', [id]), []);
    const change = { UserId: id, Changed: ['DisplayName', 'Role'], Role: 'Guest', ChangedBy: olga.id };
    assert.deepEqual(await eventsOf(id, 'account.updated'), [['account.updated', change]]);
    await accept(await linkTo(email), { Password: `another ${PASSWORD}`, DisplayName: 'Ann' }).expect(200);
    const chosen = { passwordScheme: 'peppered', displayName: 'Ann', isContested: false };
    assert.deepEqual(await stateOf(id), { role: 'Guest', signup: 'complete', ...chosen });
    assert.equal((await sql('select 1 from content_access where account_id = ?', [id])).length, 1);
  });

  it('gives a verified account access at once, and leaves administrators and owners of content as they are', async () => {
    const [verified, administrator, sharer] = [await member(), await newUnverified(), await newUnverified()];
    await sql(`update account set role = 'Admin' where id = ?`, [administrator.id]);
    await newContent(sharer);
    for (const { id, email } of [verified, administrator, sharer]) {
      const before = await stateOf(id);
      assert.equal(await resultOf(email), 'AccessGranted');
      assert.deepEqual(await stateOf(id), before);
    }
  });
});
