import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { peopleOf, readTables } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { during, fieldsOf } from '@gatehouse/runtime/testing';
import { reachCallback, startServicesWith } from '../requests/demo-provider.ts';
import { signOn } from '../requests/prepared/sign-on-requests.ts';
import type { Received } from '../requests/send.ts';
import type { Services } from '../requests/services.ts';

const AGE = `update user_session set authenticated_at = now() - interval '6 minutes' where account_id = ?`;

describe('an identity that its owner links and unlinks', () => {
  const world = during(() =>
    startServicesWith(
      { corp: { trustEmail: false }, strict: { allowedDomains: ['corp.example'] } },
      { SINGLE_SESSION: false },
    ),
  );
  const { history, member, sql } = peopleOf(() => world.app);

  const somebody = (claims: Record<string, unknown> = {}) => ({
    sub: newId(),
    email: `${newId()}@elsewhere.example`,
    email_verified: true,
    ...claims,
  });
  const newOwner = async (options?: Parameters<typeof member>[0]) => {
    const owner = await member(options);
    const session = await owner.logsIn();
    const call = (line: string, body?: object, more: Parameters<Services['call']>[1] = {}) =>
      world.call(line, { token: session.Token, body, ...more });
    return {
      ...{ ...owner, ...session },
      begin: (provider = 'corp', proof: object = {}) => call(`POST /account/identity/${provider}`, proof),
      finish: (IdentityCode = '', more = {}) => call('POST /account/identity', { IdentityCode }, more),
      unlink: (number: number, more = {}) => call('DELETE /account/identity', { Number: number }, more),
      list: async () => (await call('GET /account/identity')).body['Items'] as Record<string, unknown>[],
      identityMails: async () =>
        (await owner.mails()).filter(({ type }) => type.startsWith('account.identity-')),
      loggedInLongAgo: () => sql(AGE, [owner.id]),
    };
  };
  type Owner = Awaited<ReturnType<typeof newOwner>>;

  /** Follows a browser's redirects from this URL at Admin. Returns where they end, and the parameters in the fragment. */
  const travel = async (url: unknown, person: Record<string, unknown>) => {
    const { pathname, search } = new URL(String(url));
    const id = pathname.split('/')[2] === 'strict' ? 'strict' : 'corp';
    Object.assign(world.providers[id].behaviour, { person });
    const { asked, ...callback } = await reachCallback(world, id, search);
    const { headers } = await world.send('Admin', callback);
    const [page, fragment] = String(headers['location']).split('#');
    const parameters: Record<string, string> = Object.fromEntries(new URLSearchParams(fragment));
    return { page, parameters, asked };
  };
  const proved = async (owner: Owner, person: Record<string, unknown>, provider = 'corp') => {
    const { body } = await owner.begin(provider);
    return (await travel(body['Url'], person)).parameters;
  };
  const expires = (owner: Owner) =>
    sql('update identity_link set expires_at = now() where account_id = ?', [owner.id]);
  const refusalOf = ({ status, body }: Received) => [status, body['code']];

  it('signs in to the account from then on, also if the provider is not trusted with emails', async () => {
    const [owner, person] = [await newOwner(), somebody()];
    const { status, body } = await owner.begin();
    assert.equal(status, 200);
    const { page, parameters, asked } = await travel(body['Url'], person);
    assert.equal(page, 'https://gatehouse.test/profile/security');
    assert.equal(parameters['State'], body['State']);
    assert.equal(asked.get('prompt'), 'login');
    assert.deepEqual((await owner.finish(parameters['IdentityCode'])).body, { Provider: 'corp' });
    const [item, ...others] = await owner.list();
    assert.deepEqual([item?.['Provider'], item?.['Name'], others.length], ['corp', 'corp', 0]);
    const url = `https://admin.gatehouse.test/auth/corp/login?pages=true&state=${'x'.repeat(22)}`;
    const signedOn = await travel(url, person);
    assert.match(signedOn.parameters['HandoverCode'] ?? '', /^sso_[\w-]{43}$/);
    const reports = await history({ action: 'sso.linked', targetId: owner.id }, 'actorId', 'details');
    assert.deepEqual(reports, [[owner.id, { Provider: 'corp' }]]);
  });

  it('is reported to the owner in one mail with time, device and address', async () => {
    const [owner, person] = [await newOwner(), somebody()];
    const { IdentityCode } = await proved(owner, person);
    const device = { headers: { 'user-agent': 'Firefox/140.0 (Linux)' } };
    assert.equal((await owner.finish(IdentityCode, device)).status, 200);
    await owner.finish((await proved(owner, person))['IdentityCode']);
    const mails = await owner.identityMails();
    assert.deepEqual(fieldsOf(mails, 'type'), ['account.identity-linked']);
    const { At, DeviceName, IpAddress } = (mails[0]?.content ?? {}) as Record<string, string>;
    assert.ok(Math.abs(Date.parse(At ?? '') - Date.now()) < 60_000);
    assert.equal(DeviceName, 'Firefox, Linux');
    assert.ok(isIP(IpAddress ?? ''));
  });

  it('is not linked by a sign-in that the provider reports as old', async () => {
    const owner = await newOwner();
    const signedInAgo = (seconds: number) => somebody({ auth_time: Math.floor(Date.now() / 1000) - seconds });
    for (const seconds of [60, 86_400, -60]) {
      const { SignOnError } = await proved(owner, signedInAgo(seconds));
      assert.deepEqual([SignOnError, await owner.list()], ['sign_on_not_fresh', []]);
    }
    assert.equal((await owner.finish((await proved(owner, signedInAgo(0)))['IdentityCode'])).status, 200);
  });

  it('is linked only by the session that began: not by that of a thief or of the recipient of a link', async () => {
    const [mallory, victim, person] = [await newOwner(), await newOwner(), somebody()];
    const lure = await proved(mallory, person);
    assert.deepEqual(refusalOf(await victim.finish(lure['IdentityCode'])), [400, 'invalid_code']);
    const { Token: token } = await mallory.logsIn();
    const elsewhere = await mallory.finish(lure['IdentityCode'], { token });
    assert.deepEqual(refusalOf(elsewhere), [400, 'invalid_code']);
    assert.deepEqual([await victim.list(), await mallory.list()], [[], []]);
    assert.equal((await mallory.finish(lure['IdentityCode'])).status, 200);
  });

  it('is linked once by a code, and by the newest of several that a session began', async () => {
    const owner = await newOwner();
    const older = await owner.begin();
    const { IdentityCode } = await proved(owner, somebody());
    const late = await travel(older.body['Url'], somebody());
    assert.equal(late.parameters['SignOnError'], 'invalid_attempt');
    const all = await Promise.all(Array.from({ length: 5 }, () => owner.finish(IdentityCode)));
    assert.deepEqual(all.filter(({ status }) => status === 200).length, 1);
  });

  it('needs a code in time, of an account that may still log in', async () => {
    const owner = await newOwner();
    const { IdentityCode } = await proved(owner, somebody());
    await expires(owner);
    assert.deepEqual(refusalOf(await owner.finish(IdentityCode)), [400, 'invalid_code']);
    const begun = await owner.begin();
    await expires(owner);
    const late = await travel(begun.body['Url'], somebody());
    assert.equal(late.parameters['SignOnError'], 'invalid_attempt');
    const again = await proved(owner, somebody());
    await owner.set(`role = 'Guest'`);
    assert.deepEqual(refusalOf(await owner.finish(again['IdentityCode'])), [400, 'invalid_code']);
  });

  it('is not taken from another account, and not added to a second one of the same issuer', async () => {
    const [first, second, person] = [await newOwner(), await newOwner(), somebody()];
    await first.finish((await proved(first, person))['IdentityCode']);
    const taken = await second.finish((await proved(second, person))['IdentityCode']);
    assert.deepEqual(refusalOf(taken), [409, 'identity_taken']);
    const occupied = await first.finish((await proved(first, somebody()))['IdentityCode']);
    assert.deepEqual(refusalOf(occupied), [409, 'conflict']);
    assert.equal((await first.finish((await proved(first, person))['IdentityCode'])).status, 200);
    assert.equal((await first.list()).length, 1);
  });

  it('must be from an allowed domain, if configured', async () => {
    const owner = await newOwner();
    const errorOf = async (claims: Record<string, unknown>) =>
      (await proved(owner, somebody(claims), 'strict'))['SignOnError'];
    assert.equal(await errorOf({}), 'domain_not_allowed');
    assert.equal(await errorOf({ email: undefined }), 'email_missing');
    assert.equal(await errorOf({ email: 'ann@corp.example', email_verified: false }), 'email_not_verified');
    assert.equal(await errorOf({ email: 'ann@corp.example' }), undefined);
  });

  it('can only be started by its owner after a proof, not by guests, and at a known provider', async () => {
    const owner = await newOwner();
    await owner.loggedInLongAgo();
    assert.deepEqual(refusalOf(await owner.begin()), [403, 'confirmation_required']);
    assert.deepEqual(refusalOf(await owner.begin('corp', { Password: 'wrong' })), [403, 'wrong_password']);
    assert.deepEqual(refusalOf(await owner.begin('nobody')), [404, 'not_found']);
    const guest = await newOwner({ role: 'Guest' });
    assert.deepEqual(refusalOf(await guest.begin()), [403, 'forbidden']);
  });

  it('stores ticket and code in no table and no log', async () => {
    const owner = await newOwner();
    const { body } = await owner.begin();
    const ticket = new URL(String(body['Url'])).searchParams.get('link') ?? '';
    const { parameters } = await travel(body['Url'], somebody());
    const text = JSON.stringify([await readTables(world.app), world.lines()]);
    for (const secret of [ticket, parameters['IdentityCode'] ?? '']) {
      assert.equal(secret.length, 43);
      assert.ok(!text.includes(secret));
    }
  });

  it('refuses an unknown ticket', async () => {
    const url = `https://admin.gatehouse.test/auth/corp/login?link=${'t'.repeat(43)}&state=${'x'.repeat(22)}`;
    assert.equal((await travel(url, somebody())).parameters['SignOnError'], 'invalid_attempt');
  });

  const link = async (owner: Owner, provider = 'corp') => {
    const insert =
      'insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, ?) returning number';
    const values = [`https://${provider}.example`, newId(), owner.id, provider];
    return Number(await query.onlyValue<string>(world.app.db, insert, values));
  };
  const withoutPassword = (owner: Owner) => owner.set('password_hash = null, password_scheme = null');
  const statusOf = async ({ Token: token }: { Token: string }) =>
    (await world.call('GET /account/identity', { token })).status;

  it('is unlinked with the other sessions that it opened, and no others', async () => {
    const owner = await newOwner();
    const number = await link(owner);
    await link(owner, 'strict');
    const sessions = [
      await signOn(world, 'corp', owner.id),
      await signOn(world, 'strict', owner.id),
      await owner.logsIn(),
    ];
    assert.equal((await owner.unlink(number)).status, 204);
    assert.deepEqual(await Promise.all(sessions.map(statusOf)), [401, 200, 200]);
    assert.equal((await owner.unlink(number)).status, 404);
    const reports = await history({ action: 'sso.unlinked', targetId: owner.id }, 'actorId', 'details');
    assert.deepEqual(reports, [[owner.id, { Provider: 'corp' }]]);
  });

  it('is reported to the owner in a mail when unlinked', async () => {
    const owner = await newOwner();
    for (const provider of ['corp', 'gone'])
      assert.equal((await owner.unlink(await link(owner, provider))).status, 204);
    const only = await link(owner);
    await withoutPassword(owner);
    assert.equal((await owner.unlink(only)).status, 409);
    const mails = await owner.identityMails();
    assert.deepEqual(fieldsOf(mails, 'type'), ['account.identity-unlinked', 'account.identity-unlinked']);
    for (const { content } of mails) assert.ok('At' in content && 'IpAddress' in content);
  });

  it('keeps the current session', async () => {
    const owner = await newOwner();
    const number = await link(owner);
    const session = await signOn(world, 'corp', owner.id);
    assert.equal((await owner.unlink(number, { token: session.Token })).status, 204);
    assert.equal(await statusOf(session), 200);
  });

  it('cannot be removed if it is the only sign-in method, or the others cannot sign in: unknown providers, or a required second factor', async () => {
    const owner = await newOwner();
    const number = await link(owner);
    await withoutPassword(owner);
    await link(owner, 'gone');
    assert.equal((await owner.unlink(number)).status, 409);
    await link(owner, 'strict');
    await owner.set('two_factor_required = true');
    assert.equal((await owner.unlink(number)).status, 409);
    await owner.set('two_factor_required = false');
    assert.equal((await owner.unlink(number)).status, 204);
  });

  it('keeps one of two that are unlinked concurrently', async () => {
    const owner = await newOwner();
    const numbers = [await link(owner), await link(owner, 'strict')];
    await withoutPassword(owner);
    const answers = await Promise.all(numbers.map((number) => owner.unlink(number)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204, 409]));
    assert.equal((await owner.list()).length, 1);
  });

  it('can be removed by its owner only, after a proof', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const number = await link(owner);
    assert.equal((await other.unlink(number)).status, 404);
    assert.deepEqual(await other.list(), []);
    await owner.loggedInLongAgo();
    assert.deepEqual(refusalOf(await owner.unlink(number)), [403, 'confirmation_required']);
  });
});
