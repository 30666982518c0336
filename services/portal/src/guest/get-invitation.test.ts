import assert from 'node:assert/strict';
import { readTables, someAddress, someEmail } from '@gatehouse/accounts/testing';
import { cast } from '../testing/cast.ts';

describe('POST /account/invitation', () => {
  const { accept, app, http, mailsTo, sql, useOwner } = cast();
  const olga = useOwner('Olga');

  const ask = (InvitationToken: unknown, address = someAddress()) =>
    http().post('/account/invitation').set('x-forwarded-for', address).send({ InvitationToken });
  const find = async (token: string) => (await ask(token).expect(200)).body;
  const joins = (token: string, more: object = { DisplayName: undefined }) => accept(token, more).expect(200);
  const localeOf = async (email: string) => {
    const [row] = await sql('select locale, display_name as name from account where email = ?', [email]);
    return row;
  };
  const CONTENT = { Name: 'The board meets', Kind: 'LiveChannel' };

  it('says who invites, to what and as which address, and changes nothing', async () => {
    const email = someEmail();
    const token = await olga.mailsLink(email);
    const before = await readTables(app());
    for (let opened = 0; opened < 3; opened += 1)
      assert.deepEqual(await find(token), { State: 'Open', Email: email, Inviter: 'Olga', Content: CONTENT });
    assert.deepEqual(await readTables(app()), before);
    await joins(token);
  });

  it('says that a link was used, with the content as long as there is access to it', async () => {
    const email = someEmail();
    const token = await olga.mailsLink(email);
    await joins(token);
    const used = { State: 'Used', Email: email, Inviter: 'Olga', Content: CONTENT };
    assert.deepEqual(await find(token), used);
    await sql('delete from content_access where content_definition_id = ?', [olga.content]);
    assert.deepEqual(await find(token), { State: 'Used', Email: email });
  });

  it('says which address was invited, and not the one that the account has now', async () => {
    const email = someEmail();
    const token = await olga.mailsLink(email);
    await joins(token);
    const now = someEmail();
    await sql('update account set email = ?, email_key = ? where email = ?', [now, now, email]);
    assert.equal((await find(token)).Email, email);
  });

  it('says that a link has expired, as long as it can be mailed again', async () => {
    const email = someEmail();
    const token = await olga.mailsLink(email, { ExpiresAt: new Date(Date.now() + 86_400_000).toISOString() });
    await sql(`update invitation set expires_at = now() where content_definition_id = ?`, [olga.content]);
    assert.deepEqual(await find(token), {
      State: 'Expired',
      Email: email,
      Inviter: 'Olga',
      Content: CONTENT,
    });
    await sql(`update invitation set access_expires_at = now() where content_definition_id = ?`, [
      olga.content,
    ]);
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
      const token = await olga.mailsLink(email);
      await sql(change, { content: olga.content, owner: olga.id });
      assert.deepEqual(await find(token), { State: 'Revoked', Email: email });
    });
  }

  it('does not repeat a name of the inviter that could be a message', async () => {
    await sql(`update account set display_name = 'call +49 30 123456 now' where id = ?`, [olga.id]);
    const email = someEmail();
    assert.deepEqual(await find(await olga.mailsLink(email)), {
      State: 'Open',
      Email: email,
      Content: CONTENT,
    });
  });

  it('refuses wrong and replaced links, and slows down whoever tries many', async () => {
    const email = someEmail();
    const older = await olga.mailsLink(email);
    await olga.mailsLink(email);
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
    await sql(`update account set locale = 'fr' where id = ?`, [olga.id]);
    const token = await olga.mailsLink(email);
    assert.deepEqual(await localeOf(email), { locale: 'fr', name: null });
    await joins(token, { DisplayName: undefined, Locale: 'de' });
    assert.deepEqual(await localeOf(email), { locale: 'de', name: null });
    const second = await olga.mailsLink(other, { Locale: 'pt-BR' });
    const [mail] = await mailsTo(other);
    assert.ok(mail);
    assert.equal(mail.content.Locale, 'pt-BR');
    await joins(second, { DisplayName: 'Gus' });
    assert.deepEqual(await localeOf(other), { locale: 'pt-BR', name: 'Gus' });
  });
});
