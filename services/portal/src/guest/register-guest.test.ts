import assert from 'node:assert/strict';
import { checkPassword, deleteContent, mailCode } from '@gatehouse/accounts';
import { PASSWORD, readTables, someAddress, someEmail, untilWaiting } from '@gatehouse/accounts/testing';
import { accountCodes, accounts, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { cast, problem } from '../testing/cast.ts';

describe('POST /account/register-guest', () => {
  const { accept, another, app, login, member, newContent, sql, useOwner } = cast();
  const olga = useOwner();

  const invite = async (email: string, to = olga.content) =>
    (await olga.mailsLink({ ContentDefinitionId: to }, email)).token;
  const refuse = async (token: unknown) => {
    const { body } = await accept(token).expect(problem('invalid_invitation'));
    return { ...body, traceId: undefined };
  };
  const find = async (email: string) => {
    const account = await accounts.findByEmailKey(app().db, email);
    if (account === undefined) throw new Error('no account');
    return account;
  };

  it('completes the account and verifies its email; the guest logs in with shared access', async () => {
    const { email, token } = await olga.mailsLink();
    await accept(token).expect(200, {});
    const account = await find(email);
    const { role, signup, isEmailVerified, displayName } = account;
    assert.deepEqual([role, signup, isEmailVerified, displayName], ['Guest', 'complete', true, 'Gus']);
    const attempt = { userName: email, password: PASSWORD, addressGroup: someAddress() };
    assert.equal((await checkPassword(app(), attempt)).kind, 'right');
    const { sessionId } = await login(account);
    assert.deepEqual(await sql('select status from user_session where id = ?', [sessionId]), [{ status: 5 }]);
  });

  it('returns the URL of the content, if configured', async () => {
    const url = 'https://app.example.com/c/{ContentDefinitionId}?from=invitation';
    const { token } = await olga.mailsLink();
    const accepted = accept(token, {}, await another({}, url));
    await accepted.expect(200, { ContentUrl: url.replace('{ContentDefinitionId}', olga.content) });
  });

  it('accepts all other invitations of the account, too', async () => {
    const email = someEmail();
    const other = await newContent(olga);
    const expired = await newContent(olga);
    const first = await invite(email);
    const second = await invite(email, other);
    await invite(email, expired);
    await sql('update invitation set expires_at = now() where content_definition_id = ?', [expired]);
    await accept(first).expect(200);
    const { id } = await find(email);
    const access = 'select content_definition_id as id from content_access where account_id = ?';
    const held = await sql<{ id: string }>(access, [id]);
    assert.deepEqual(new Set(fieldsOf(held, 'id')), new Set([olga.content, other]));
    await refuse(second);
    const pending = 'account_id = ? and accepted_at is null and deleted_at is null';
    assert.deepEqual(await sql(`select 1 from invitation where ${pending}`, [id]), []);
  });

  for (const [what, change] of [
    ['is disabled', 'is_disabled = true'],
    ['expires', 'expires_at = now()'],
  ] as const)
    it(`does not complete the account of a guest who ${what} while the password is hashed`, async () => {
      const { email, token } = await olga.mailsLink();
      const { id } = await find(email);
      const asked = await inTransaction(app().db, NO_DEADLINE, async (tx) => {
        await accounts.lockById(tx, id);
        const waiting = accept(token).then(({ status, body }) => [status, body.code]);
        // The link was good, and the password has been hashed.
        await untilWaiting(app().db);
        await query(tx, `update account set ${change} where id = ?`, [id]);
        return { waiting };
      });
      assert.deepEqual(await asked.waiting, [400, 'invalid_invitation']);
      assert.equal((await find(email)).signup, 'invitation');
    });

  it('has one response for wrong, used, revoked and expired links, deleted content and disabled guests', async () => {
    const refusals: object[] = [];
    for (const wrong of [undefined, 7, 'x', 'x'.repeat(5000)]) refusals.push(await refuse(wrong));
    const refusesAfter = async (change: (email: string, token: string) => Promise<unknown>, to?: string) => {
      const email = someEmail();
      const token = await invite(email, to);
      await change(email, token);
      refusals.push(await refuse(token));
    };
    await refusesAfter((_, token) => accept(token).expect(200));
    await refusesAfter((email) => olga.removes({ Emails: [email] }).expect(200));
    await refusesAfter((email) =>
      sql('update invitation set expires_at = now() where invited_email = ?', [email]),
    );
    const going = await newContent(olga);
    const deleted = () => deleteContent(app(), going, { kind: 'System' }, { traceId: 'x', dueAt: Infinity });
    await refusesAfter(deleted, going);
    await refusesAfter((email) => sql('update account set is_disabled = true where email = ?', [email]));
    const { token: byDisabled } = await olga.mailsLink();
    for (const change of [
      'update account set is_disabled = true where id = ?',
      'update account set is_disabled = false, expires_at = now() where id = ?',
      'delete from account where id = ?',
    ]) {
      await sql(change, [olga.id]);
      refusals.push(await refuse(byDisabled));
    }
    for (const body of refusals) assert.deepEqual(body, refusals[0]);
  });

  it('keeps the link valid if the password is missing or refused, or other fields are', async () => {
    const { email, token } = await olga.mailsLink();
    for (const password of [undefined, 'short', email, 'password'])
      await accept(token, { Password: password }).expect(problem('invalid_request', '/Password'));
    await accept(token, { DisplayName: '' }).expect(400);
    await accept(token).expect(200);
  });

  it('invalidates passwords, codes and sessions that others may have had for the address', async () => {
    const guest = await member({ role: 'Guest' });
    await login(guest);
    const account = await find(guest.email);
    await app().db.transaction((tx) => mailCode(app(), tx, account, 'reset', { traceId: 'x' }));
    await sql('update account set expires_at = now(), content_expired_at = now() where id = ?', [guest.id]);
    const token = await invite(guest.email);
    const wanted = {
      accountId: guest.id,
      purpose: 'reset',
      limits: [{ whose: someAddress(), max: 5 }],
    } as const;
    assert.deepEqual(await accountCodes.takeTries(app().db, wanted), []);
    assert.deepEqual(await guest.sessions(), []);
    await accept(token, { Password: 'a wholly new one' }).expect(200);
    const attempt = { userName: guest.email, addressGroup: someAddress() };
    assert.equal((await checkPassword(app(), { ...attempt, password: PASSWORD })).kind, 'failed');
    assert.equal((await checkPassword(app(), { ...attempt, password: 'a wholly new one' })).kind, 'right');
  });

  it('completes a guest without a password where guests log in with mailed codes', async () => {
    const byMail = await another({ EMAIL_LOGIN: 'guests' });
    const { email, token: InvitationToken } = await olga.mailsLink();
    const join = () => byMail.post('/account/register-guest', undefined, { InvitationToken });
    assert.match(String((await join().expect(200)).body.HandoverCode), /^gst_[\w-]{43}$/);
    const account = await find(email);
    const { signup, isEmailVerified, passwordScheme, displayName } = account;
    assert.deepEqual([signup, isEmailVerified, passwordScheme, displayName], ['complete', true, null, null]);
    const { Token } = await byMail.login(account);
    const profile = await byMail.get('/account/profile', Token).expect(200);
    assert.equal(profile.body.HasPassword, false);
    await join().expect(problem('invalid_invitation'));
  });
});

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
    const { email, token } = await olga.mailsLink();
    const before = await readTables(app());
    for (let opened = 0; opened < 3; opened += 1)
      assert.deepEqual(await find(token), { State: 'Open', Email: email, Inviter: 'Olga', Content: CONTENT });
    assert.deepEqual(await readTables(app()), before);
    await joins(token);
  });

  it('says that a link was used, with the content as long as there is access to it', async () => {
    const { email, token } = await olga.mailsLink();
    await joins(token);
    const used = { State: 'Used', Email: email, Inviter: 'Olga', Content: CONTENT };
    assert.deepEqual(await find(token), used);
    await sql('delete from content_access where content_definition_id = ?', [olga.content]);
    assert.deepEqual(await find(token), { State: 'Used', Email: email });
  });

  it('says which address was invited, and not the one that the account has now', async () => {
    const { email, token } = await olga.mailsLink();
    await joins(token);
    const now = someEmail();
    await sql('update account set email = ?, email_key = ? where email = ?', [now, now, email]);
    assert.equal((await find(token)).Email, email);
  });

  it('says that a link has expired, as long as it can be mailed again', async () => {
    const ExpiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const { email, token } = await olga.mailsLink({ ExpiresAt });
    const end = (what: string) =>
      sql(`update invitation set ${what} = now() where content_definition_id = ?`, [olga.content]);
    await end('expires_at');
    const expired = { State: 'Expired', Email: email, Inviter: 'Olga', Content: CONTENT };
    assert.deepEqual(await find(token), expired);
    await end('access_expires_at');
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
  ] as const)
    it(`says of an invitation that ${what} only that it was revoked`, async () => {
      const { email, token } = await olga.mailsLink();
      await sql(change, { content: olga.content, owner: olga.id });
      assert.deepEqual(await find(token), { State: 'Revoked', Email: email });
    });

  it('does not repeat a name of the inviter that could be a message', async () => {
    await sql(`update account set display_name = 'call +49 30 123456 now' where id = ?`, [olga.id]);
    const { email, token } = await olga.mailsLink();
    assert.deepEqual(await find(token), { State: 'Open', Email: email, Content: CONTENT });
  });

  it('refuses wrong and replaced links, and slows down whoever tries many', async () => {
    const { email, token: older } = await olga.mailsLink();
    await olga.invite(email);
    const address = someAddress();
    for (const token of [older, 'x', 'y'.repeat(5000), 7, undefined])
      await ask(token, address).expect(problem('invalid_invitation'));
    let status = 400;
    for (let tries = 0; tries < 200 && status === 400; tries += 1)
      status = (await ask(`wrong ${tries}`, address)).status;
    assert.equal(status, 429);
    await ask('wrong').expect(400);
  });

  it('keeps the language in which the guest accepts, and a name only if one is given', async () => {
    await sql(`update account set locale = 'fr' where id = ?`, [olga.id]);
    const { email, token } = await olga.mailsLink();
    assert.deepEqual(await localeOf(email), { locale: 'fr', name: null });
    await joins(token, { DisplayName: undefined, Locale: 'de' });
    assert.deepEqual(await localeOf(email), { locale: 'de', name: null });
    const { email: other, token: second } = await olga.mailsLink({ Locale: 'pt-BR' });
    assert.equal((await mailsTo(other))[0]?.content.Locale, 'pt-BR');
    await joins(second, { DisplayName: 'Gus' });
    assert.deepEqual(await localeOf(other), { locale: 'pt-BR', name: 'Gus' });
  });
});
