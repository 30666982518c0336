import assert from 'node:assert/strict';
import { someAddress, someEmail } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { cast } from '../testing/cast.ts';
import { startPortal } from '../testing/index.ts';

describe('POST /account/resend-invitation', () => {
  const { accept, app, audit, linkTo, mailsTo, newContent, post, sql, useOwner } = cast({});
  const olga = useOwner();

  const invite = (email: string, to = olga.content) => olga.mailsLink(email, { ContentDefinitionId: to });
  const invited = async (): Promise<string> => {
    const email = someEmail();
    await invite(email);
    return email;
  };
  const done = () =>
    eventually(async () => (await sql('select id from invitation_request')).length === 0, 15);
  /** Requests a resend, waits until it is processed, and returns the number of mails. */
  const resend = async (email: string, typed = email): Promise<number> => {
    const before = (await mailsTo(email)).length;
    await post('/account/resend-invitation', undefined, { Email: typed }).expect(200, {});
    await done();
    return (await mailsTo(email)).length - before;
  };

  it('mails a new link instead of the older one', async () => {
    const email = someEmail();
    const older = await invite(email);
    assert.equal(await resend(email, email.toUpperCase()), 1);
    const newer = await linkTo(email);
    assert.notEqual(newer, older);
    await accept(older).expect(400);
    await accept(newer).expect(200);
  });

  it('resends an expired invitation, and the newest of several', async () => {
    const email = await invited();
    const other = await newContent(olga);
    await invite(email, other);
    await sql('update invitation set expires_at = now() where invited_email = ?', [email]);
    assert.equal(await resend(email), 1);
    const [alive] = await sql(
      'select content_definition_id as id from invitation where expires_at > now() and invited_email = ?',
      [email],
    );
    assert.deepEqual(alive, { id: other });
    await accept(await linkTo(email)).expect(200);
  });

  it('has the same response if there is no invitation, mails nothing, and changes nothing', async () => {
    const registered = await invited();
    await accept(await linkTo(registered)).expect(200);
    const disabled = await invited();
    await sql('update account set is_disabled = true where email = ?', [disabled]);
    const expired = await invited();
    await sql('update account set expires_at = now() where email = ?', [expired]);
    const withoutContent = await invited();
    await sql('update account set expires_at = now(), content_expired_at = now() where email = ?', [
      withoutContent,
    ]);
    const long = await invited();
    await sql("update invitation set invited_at = now() - interval '31 days' where invited_email = ?", [
      long,
    ]);
    const takenBack = await invited();
    await sql('update invitation set deleted_at = now() where invited_email = ?', [takenBack]);
    for (const email of [
      registered,
      disabled,
      expired,
      withoutContent,
      long,
      takenBack,
      olga.email,
      someEmail(),
    ]) {
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
    await invite(email);
    assert.equal((await mailsTo(email)).length, 7);
  });

  it('is in the audit without an actor', async () => {
    const email = await invited();
    await resend(email);
    const account = await accounts.findByEmailKey(app().db, email);
    const { entries } = await audit();
    const entry = entries.find(
      ({ action, details }) => action === 'invitation.resent' && details['UserId'] === account?.id,
    );
    assert.deepEqual([entry?.actorKind, entry?.actorId, entry?.targetKind], ['System', null, 'Invitation']);
    assert.ok(!JSON.stringify(entry).includes(email));
  });

  it('responds as fast as usual while the invitation is locked by others', async () => {
    const email = await invited();
    const ask = () => post('/account/resend-invitation', undefined, { Email: email }).expect(200, {});
    await app().db.transaction(async (tx) => {
      await query(tx, 'select id from account where email = ? for update', [email]);
      const begun = performance.now();
      await Promise.all(Array.from({ length: 12 }, ask));
      assert.ok(performance.now() - begun < 2000);
    });
    await done();
    assert.equal((await mailsTo(email)).length, 2);
  });

  it('refuses an invalid email, and too many requests of an address', async () => {
    await post('/account/resend-invitation', undefined, { Email: 'nobody' }).expect(400);
    const strict = await startPortal({ MAILS_PER_ADDRESS: 2 });
    try {
      await eventually(() => strict.app.sessionCache.isConnected());
      const ask = () =>
        strict.http
          .post('/account/resend-invitation')
          .set('x-forwarded-for', address)
          .send({ Email: someEmail() });
      const address = someAddress();
      await ask().expect(200);
      await ask().expect(200);
      const { headers } = await ask().expect(429);
      assert.ok(Number(headers['retry-after']) > 3000);
    } finally {
      await strict.stop();
    }
  });
});
