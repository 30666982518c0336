import assert from 'node:assert/strict';
import { invitationTokenIn, PASSWORD } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { startPortal, type TestPortal } from '../testing/index.ts';

/** A stranger may have registered the address: their password must not open what is shared with its owner. */
describe('POST /account/invite-user for an address that was registered and never verified', () => {
  let portal: TestPortal;
  let token: string;
  let content: string;
  before(async () => {
    portal = await startPortal();
    // Unpublished events stay in the outbox, where the test reads them.
    await portal.app.relay.stop();
    const owner = await portal.newAccount();
    token = (await portal.login(owner)).Token;
    content = await portal.newContent(owner);
  });
  after(() => portal.stop());

  const sql = (text: string, id: string) => query<{ data: object }>(portal.app.db, text, [id]);
  const newUnverified = async () => {
    const registered = await portal.newAccount({ displayName: 'A stranger' });
    await sql('update account set email_verified_at = null, is_contested = true where id = ?', registered.id);
    await sql(
      `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
       values (?, 'verify', gen_random_uuid(), '', 500, now() + interval '1 day')`,
      registered.id,
    );
    return registered;
  };
  const resultOf = async (email: string) => {
    const invitation = { Emails: [email], ContentDefinitionId: content };
    const { body } = await portal.post('/account/invite-user', token, invitation).expect(200);
    return (body as { Items: { Result: string }[] }).Items[0]?.Result;
  };
  const stateOf = async (id: string) => {
    const account = await accounts.findById(portal.app.db, id);
    assert.ok(account);
    const { role, signup, passwordScheme, displayName, isContested } = account;
    return { role, signup, passwordScheme, displayName, isContested };
  };

  it('mails a link, and voids the password, the name and the codes of the registration', async () => {
    const { id, email } = await newUnverified();
    assert.equal(await resultOf(email), 'Invited');
    assert.deepEqual(await stateOf(id), {
      ...{ role: 'Guest', signup: 'invitation', passwordScheme: null, displayName: null, isContested: false },
    });
    assert.deepEqual(await sql('select 1 from account_code where account_id = ?', id), []);
    assert.deepEqual(await sql('select 1 from content_access where account_id = ?', id), []);
    const events = await sql(
      `select event -> 'data' as data from outbox
       where type = 'account.updated' and event -> 'data' ->> 'UserId' = ?`,
      id,
    );
    const [{ data } = assert.fail('there is no event')] = events;
    assert.deepEqual(
      { ...data, ChangedBy: 0 },
      {
        ...{ UserId: id, Changed: ['DisplayName', 'Role'], Role: 'Guest', ChangedBy: 0 },
      },
    );
    const InvitationToken = invitationTokenIn(await portal.app.mailsTo(email));
    await portal.http
      .post('/account/register-guest')
      .send({ InvitationToken, Password: `another ${PASSWORD}`, DisplayName: 'Ann' })
      .expect(200);
    assert.deepEqual(await stateOf(id), {
      ...{ role: 'Guest', signup: 'complete', passwordScheme: 'peppered', displayName: 'Ann' },
      isContested: false,
    });
    assert.equal((await sql('select 1 from content_access where account_id = ?', id)).length, 1);
  });

  it('gives a verified account access at once, and leaves administrators and owners of content as they are', async () => {
    const [verified, administrator, owner] = [
      await portal.newAccount(),
      await newUnverified(),
      await newUnverified(),
    ];
    await sql(`update account set role = 'Admin' where id = ?`, administrator.id);
    await portal.newContent(owner);
    for (const { id, email } of [verified, administrator, owner]) {
      const before = await stateOf(id);
      assert.equal(await resultOf(email), 'AccessGranted');
      assert.deepEqual(await stateOf(id), before);
    }
  });
});
