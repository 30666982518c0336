import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { logIn, readAudit, readTables } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startIdentities, type Identities } from './testing-identities.ts';
import { during } from '../testing/during.ts';

describe('an identity that its owner links', function () {
  this.timeout(30_000);
  const world = during(() => startIdentities());

  const somebody = (claims: Record<string, unknown> = {}) => ({
    sub: newId(),
    email: `${newId()}@elsewhere.example`,
    email_verified: true,
    ...claims,
  });
  type Owner = Awaited<ReturnType<Identities['newOwner']>>;
  const proved = async (owner: Owner, person: Record<string, unknown>, provider = 'corp') => {
    const { body } = await owner.begin(provider);
    const { parameters } = await world.travel(String(body['Url']), person);
    return parameters;
  };
  const refusalOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
    status,
    body['code'],
  ];

  it('signs in to the account from then on, also if the provider is not trusted with emails', async () => {
    const [owner, person] = [await world.newOwner(), somebody()];
    const { status, body } = await owner.begin();
    assert.equal(status, 200);
    const { page, parameters, asked } = await world.travel(String(body['Url']), person);
    assert.equal(page, 'https://gatehouse.test/profile/security');
    assert.equal(parameters['State'], body['State']);
    assert.equal(asked?.get('prompt'), 'login');
    assert.deepEqual((await owner.finish(parameters['IdentityCode'])).body, { Provider: 'corp' });
    const [item, ...others] = await owner.list();
    assert.deepEqual([item?.['Provider'], item?.['Name'], others.length], ['corp', 'corp', 0]);
    const signedOn = await world.travel(
      `https://admin.gatehouse.test/auth/corp/login?pages=true&state=${'x'.repeat(22)}`,
      person,
    );
    assert.match(signedOn.parameters['HandoverCode'] ?? '', /^sso_[\w-]{43}$/);
    const { entries } = await readAudit(world.services.app);
    const linked = entries.filter(({ action, targetId }) => action === 'sso.linked' && targetId === owner.id);
    assert.deepEqual(
      linked.map(({ actorId, details }) => [actorId, details]),
      [[owner.id, { Provider: 'corp' }]],
    );
  });

  it('is reported to the owner in one mail with time, device and address', async () => {
    const [owner, person] = [await world.newOwner(), somebody()];
    const { IdentityCode } = await proved(owner, person);
    const headers = { authorization: `Bearer ${owner.Token}`, 'user-agent': 'Firefox/140.0 (Linux)' };
    const sent = { method: 'POST', path: '/account/identity', headers, body: { IdentityCode } };
    assert.equal((await world.services.send('Core', sent)).status, 200);
    await owner.finish((await proved(owner, person))['IdentityCode']);
    const mails = await world.mailsTo(owner.email);
    assert.deepEqual(
      mails.map(({ type }) => type),
      ['account.identity-linked'],
    );
    const { At, DeviceName, IpAddress } = (mails[0]?.content ?? {}) as Record<string, string>;
    assert.ok(Math.abs(Date.parse(At ?? '') - Date.now()) < 60_000);
    assert.equal(DeviceName, 'Firefox, Linux');
    assert.ok(isIP(IpAddress ?? ''));
  });

  it('is not linked by a sign-in that the provider reports as old', async () => {
    const owner = await world.newOwner();
    const signedInAgo = (seconds: number) => somebody({ auth_time: Math.floor(Date.now() / 1000) - seconds });
    for (const seconds of [60, 86_400, -60])
      assert.deepEqual(
        [(await proved(owner, signedInAgo(seconds)))['SignOnError'], await owner.list()],
        ['sign_on_not_fresh', []],
      );
    assert.equal((await owner.finish((await proved(owner, signedInAgo(0)))['IdentityCode'])).status, 200);
  });

  it('is linked only by the session that began: not by that of a thief or of the recipient of a link', async () => {
    const [mallory, victim, person] = [await world.newOwner(), await world.newOwner(), somebody()];
    const lure = await proved(mallory, person);
    assert.deepEqual(refusalOf(await victim.finish(lure['IdentityCode'])), [400, 'invalid_code']);
    const other = await logIn(world.services.app, mallory);
    const elsewhere = await mallory.finish(lure['IdentityCode'], other.Token);
    assert.deepEqual(refusalOf(elsewhere), [400, 'invalid_code']);
    assert.deepEqual([await victim.list(), await mallory.list()], [[], []]);
    assert.equal((await mallory.finish(lure['IdentityCode'])).status, 200);
  });

  it('is linked once by a code, and by the newest of several that a session began', async () => {
    const owner = await world.newOwner();
    const older = await owner.begin();
    const { IdentityCode } = await proved(owner, somebody());
    const late = await world.travel(String(older.body['Url']), somebody());
    assert.equal(late.parameters['SignOnError'], 'invalid_attempt');
    const all = await Promise.all(Array.from({ length: 5 }, () => owner.finish(IdentityCode)));
    assert.deepEqual(all.filter(({ status }) => status === 200).length, 1);
  });

  it('needs a code in time, of an account that may still log in', async () => {
    const { app } = world.services;
    const owner = await world.newOwner();
    const { IdentityCode } = await proved(owner, somebody());
    await query(
      app.db,
      `update identity_link set expires_at = now() - interval '1 second' where account_id = ?`,
      [owner.id],
    );
    assert.deepEqual(refusalOf(await owner.finish(IdentityCode)), [400, 'invalid_code']);
    const begun = await owner.begin();
    await query(
      app.db,
      `update identity_link set expires_at = now() - interval '1 second' where account_id = ?`,
      [owner.id],
    );
    const late = await world.travel(String(begun.body['Url']), somebody());
    assert.equal(late.parameters['SignOnError'], 'invalid_attempt');
    const again = await proved(owner, somebody());
    await query(app.db, `update account set role = 'Guest' where id = ?`, [owner.id]);
    assert.deepEqual(refusalOf(await owner.finish(again['IdentityCode'])), [400, 'invalid_code']);
  });

  it('is not taken from another account, and not added to a second one of the same issuer', async () => {
    const [first, second, person] = [await world.newOwner(), await world.newOwner(), somebody()];
    await first.finish((await proved(first, person))['IdentityCode']);
    const taken = await second.finish((await proved(second, person))['IdentityCode']);
    assert.deepEqual(refusalOf(taken), [409, 'identity_taken']);
    const occupied = await first.finish((await proved(first, somebody()))['IdentityCode']);
    assert.deepEqual(refusalOf(occupied), [409, 'conflict']);
    assert.equal((await first.finish((await proved(first, person))['IdentityCode'])).status, 200);
    assert.equal((await first.list()).length, 1);
  });

  it('must be from an allowed domain, if configured', async () => {
    const owner = await world.newOwner();
    const errorOf = async (claims: Record<string, unknown>) =>
      (await proved(owner, somebody(claims), 'strict'))['SignOnError'];
    assert.equal(await errorOf({}), 'domain_not_allowed');
    assert.equal(await errorOf({ email: undefined }), 'email_missing');
    assert.equal(await errorOf({ email: 'ann@corp.example', email_verified: false }), 'email_not_verified');
    assert.equal(await errorOf({ email: 'ann@corp.example' }), undefined);
  });

  it('can only be started by its owner after a proof, not by guests, and at a known provider', async () => {
    const { app } = world.services;
    const owner = await world.newOwner();
    await query(
      app.db,
      `update user_session set authenticated_at = now() - interval '6 minutes' where account_id = ?`,
      [owner.id],
    );
    assert.deepEqual(refusalOf(await owner.begin()), [403, 'confirmation_required']);
    assert.deepEqual(refusalOf(await owner.begin('corp', { Password: 'wrong' })), [403, 'wrong_password']);
    assert.deepEqual(refusalOf(await owner.begin('nobody')), [404, 'not_found']);
    const guest = await world.newOwner({ role: 'Guest' });
    assert.deepEqual(refusalOf(await guest.begin()), [403, 'forbidden']);
  });

  it('stores ticket and code in no table and no log', async () => {
    const owner = await world.newOwner();
    const { body } = await owner.begin();
    const ticket = new URL(String(body['Url'])).searchParams.get('link') ?? '';
    const { parameters } = await world.travel(String(body['Url']), somebody());
    const text = JSON.stringify([await readTables(world.services.app), world.services.lines()]);
    for (const secret of [ticket, parameters['IdentityCode'] ?? '']) {
      assert.equal(secret.length, 43);
      assert.ok(!text.includes(secret));
    }
  });

  for (const search of [
    `?link=${'t'.repeat(43)}`,
    `?link=short&state=${'x'.repeat(22)}`,
    `?link=${'t'.repeat(43)}&state=${'x'.repeat(22)}&pages=true`,
    `?link=${'t'.repeat(43)}&state=${'x'.repeat(22)}&console=true`,
    `?link=${'t'.repeat(43)}&state=${'x'.repeat(22)}&returnUrl=https%3A%2F%2Fapp.gatehouse.test%2F`,
  ]) {
    it(`refuses to start with ${search.slice(0, 12)}…${search.slice(-12)}`, async () => {
      const sent = { method: 'GET', path: `/auth/corp/login${search}` };
      assert.equal((await world.services.send('Admin', sent)).status, 400);
    });
  }

  it('refuses an unknown ticket', async () => {
    const url = `https://admin.gatehouse.test/auth/corp/login?link=${'t'.repeat(43)}&state=${'x'.repeat(22)}`;
    assert.equal((await world.travel(url, somebody())).parameters['SignOnError'], 'invalid_attempt');
  });
});
