import assert from 'node:assert/strict';
import { invitationTokenIn, PASSWORD, readTables, someAddress, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startPortal, type TestPortal } from '../testing/index.ts';

describe('POST /account/invitation', function () {
  this.timeout(20_000);
  let portal: TestPortal;
  let owner: { id: string; email: string };
  let content: string;
  before(async () => {
    portal = await startPortal();
  });
  beforeEach(async () => {
    owner = await portal.newAccount({ displayName: 'Olga' });
    content = await portal.newContent(owner);
  });
  after(() => portal.stop());

  const sql = (text: string, values: string[] = []) => query(portal.app.db, text, values);
  const invite = async (email: string, more: object = {}) => {
    const { Token } = await portal.login(owner);
    const wanted = { Emails: [email], ContentDefinitionId: content, ...more };
    await portal.post('/account/invite-user', Token, wanted).expect(200);
    return invitationTokenIn(await portal.app.mailsTo(email));
  };
  const ask = (InvitationToken: unknown, address = someAddress()) =>
    portal.http.post('/account/invitation').set('x-forwarded-for', address).send({ InvitationToken });
  const find = async (token: string) => (await ask(token).expect(200)).body;
  const accept = (InvitationToken: string, more: object = {}) =>
    portal
      .post('/account/register-guest', undefined, { InvitationToken, Password: PASSWORD, ...more })
      .expect(200);
  const localeOf = async (email: string) => {
    const [row] = await sql('select locale, display_name as name from account where email = ?', [email]);
    return row;
  };
  const CONTENT = { Name: 'The board meets', Kind: 'LiveChannel' };

  it('says who invites, to what and as which address, and changes nothing', async () => {
    const email = someEmail();
    const token = await invite(email);
    const before = await readTables(portal.app);
    for (let opened = 0; opened < 3; opened += 1)
      assert.deepEqual(await find(token), { State: 'Open', Email: email, Inviter: 'Olga', Content: CONTENT });
    assert.deepEqual(await readTables(portal.app), before);
    await accept(token);
  });

  it('says that a link was used, with the content as long as there is access to it', async () => {
    const email = someEmail();
    const token = await invite(email);
    await accept(token);
    const used = { State: 'Used', Email: email, Inviter: 'Olga', Content: CONTENT };
    assert.deepEqual(await find(token), used);
    await sql('delete from content_access where content_definition_id = ?', [content]);
    assert.deepEqual(await find(token), { State: 'Used', Email: email });
  });

  it('says which address was invited, and not the one that the account has now', async () => {
    const email = someEmail();
    const token = await invite(email);
    await accept(token);
    const now = someEmail();
    await sql('update account set email = ?, email_key = ? where email = ?', [now, now, email]);
    assert.equal((await find(token)).Email, email);
  });

  it('says that a link has expired, as long as it can be mailed again', async () => {
    const email = someEmail();
    const token = await invite(email, { ExpiresAt: new Date(Date.now() + 86_400_000).toISOString() });
    await sql(`update invitation set expires_at = now() where content_definition_id = ?`, [content]);
    assert.deepEqual(await find(token), {
      State: 'Expired',
      Email: email,
      Inviter: 'Olga',
      Content: CONTENT,
    });
    await sql(`update invitation set access_expires_at = now() where content_definition_id = ?`, [content]);
    assert.deepEqual(await find(token), { State: 'Revoked', Email: email });
  });

  for (const [what, change] of [
    ['was deleted', 'update invitation set deleted_at = now() where content_definition_id = :content'],
    ['is of a disabled inviter', 'update account set is_disabled = true where id = :owner'],
    [
      'is to a disabled account',
      `update account set is_disabled = true
       where id = (select account_id from invitation where content_definition_id = :content)`,
    ],
  ] as const) {
    it(`says of an invitation that ${what} only that it was revoked`, async () => {
      const email = someEmail();
      const token = await invite(email);
      await query(portal.app.db, change, { content, owner: owner.id });
      assert.deepEqual(await find(token), { State: 'Revoked', Email: email });
    });
  }

  it('does not repeat a name of the inviter that could be a message', async () => {
    await sql(`update account set display_name = 'call +49 30 123456 now' where id = ?`, [owner.id]);
    const email = someEmail();
    assert.deepEqual(await find(await invite(email)), { State: 'Open', Email: email, Content: CONTENT });
  });

  it('refuses wrong and replaced links, and slows down whoever tries many', async () => {
    const email = someEmail();
    const older = await invite(email);
    await invite(email);
    const address = someAddress();
    for (const token of [older, 'x', 'y'.repeat(5000), 7, undefined])
      assert.equal((await ask(token, address).expect(400)).body.code, 'invalid_invitation');
    let status = 400;
    for (let tries = 0; tries < 200 && status === 400; tries += 1)
      status = (await ask(`wrong ${tries}`, address)).status;
    assert.equal(status, 429);
    await ask('wrong').expect(400);
  });

  it('keeps the language in which the guest accepts, and a name only if one is given', async () => {
    const [email, other] = [someEmail(), someEmail()];
    await sql(`update account set locale = 'fr' where id = ?`, [owner.id]);
    const token = await invite(email);
    assert.deepEqual(await localeOf(email), { locale: 'fr', name: null });
    await accept(token, { Locale: 'de' });
    assert.deepEqual(await localeOf(email), { locale: 'de', name: null });
    const second = await invite(other, { Locale: 'pt-BR' });
    const [mail] = await portal.app.mailsTo(other);
    assert.ok(mail);
    assert.equal(mail.content.Locale, 'pt-BR');
    await accept(second, { DisplayName: 'Gus' });
    assert.deepEqual(await localeOf(other), { locale: 'pt-BR', name: 'Gus' });
  });
});
