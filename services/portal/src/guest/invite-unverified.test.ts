import assert from 'node:assert/strict';
import { PASSWORD } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { cast } from '../testing/cast.ts';

/** A stranger may have registered the address: their password must not open what is shared with its owner. */
describe('POST /account/invite-user for an address that was registered and never verified', () => {
  const { app, http, linkTo, member, newContent, sql, useOwner } = cast();
  const olga = useOwner();

  const newUnverified = async () => {
    const registered = await member({ displayName: 'A stranger' });
    await sql('update account set email_verified_at = null, is_contested = true where id = ?', [
      registered.id,
    ]);
    await sql(
      `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
       values (?, 'verify', gen_random_uuid(), '', 500, now() + interval '1 day')`,
      [registered.id],
    );
    return registered;
  };
  const resultOf = async (email: string) => (await olga.invite(email)).Result;
  const stateOf = async (id: string) => {
    const account = await accounts.findById(app().db, id);
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
    assert.deepEqual(await sql('select 1 from account_code where account_id = ?', [id]), []);
    assert.deepEqual(await sql('select 1 from content_access where account_id = ?', [id]), []);
    const events = await sql<{ data: object }>(
      `select event -> 'data' as data from outbox
       where type = 'account.updated' and event -> 'data' ->> 'UserId' = ?`,
      [id],
    );
    const [{ data } = assert.fail('there is no event')] = events;
    assert.deepEqual(
      { ...data, ChangedBy: 0 },
      {
        ...{ UserId: id, Changed: ['DisplayName', 'Role'], Role: 'Guest', ChangedBy: 0 },
      },
    );
    const InvitationToken = await linkTo(email);
    await http()
      .post('/account/register-guest')
      .send({ InvitationToken, Password: `another ${PASSWORD}`, DisplayName: 'Ann' })
      .expect(200);
    assert.deepEqual(await stateOf(id), {
      ...{ role: 'Guest', signup: 'complete', passwordScheme: 'peppered', displayName: 'Ann' },
      isContested: false,
    });
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
