import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { logIn, readAudit, readTables, newAccount } from '@gatehouse/accounts/testing';
import { query, accounts, BY_PASSWORD } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { openSession } from '@gatehouse/accounts';
import { during } from '@gatehouse/runtime/testing';
import { CLIENT, startProvider } from '../../../../services/admin/src/sso/testing/provider.ts';
import { startServices, type Services } from '../requests/services.ts';

describe('an identity that its owner links and unlinks', function () {
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
  const expire = `update identity_link set expires_at = now() where account_id = ?`;
  const expires = (owner: Owner) => query(world.services.app.db, expire, [owner.id]);
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
    const url = `https://admin.gatehouse.test/auth/corp/login?pages=true&state=${'x'.repeat(22)}`;
    const signedOn = await world.travel(url, person);
    assert.match(signedOn.parameters['HandoverCode'] ?? '', /^sso_[\w-]{43}$/);
    const { entries } = await readAudit(world.services.app);
    const linked = entries.filter(({ action, targetId }) => action === 'sso.linked' && targetId === owner.id);
    const reports = linked.map(({ actorId, details }) => [actorId, details]);
    assert.deepEqual(reports, [[owner.id, { Provider: 'corp' }]]);
  });

  it('is reported to the owner in one mail with time, device and address', async () => {
    const [owner, person] = [await world.newOwner(), somebody()];
    const { IdentityCode } = await proved(owner, person);
    const headers = { authorization: `Bearer ${owner.Token}`, 'user-agent': 'Firefox/140.0 (Linux)' };
    const sent = { method: 'POST', path: '/account/identity', headers, body: { IdentityCode } };
    assert.equal((await world.services.send('Core', sent)).status, 200);
    await owner.finish((await proved(owner, person))['IdentityCode']);
    const mails = await world.mailsTo(owner.email);
    const kinds = mails.map(({ type }) => type);
    assert.deepEqual(kinds, ['account.identity-linked']);
    const { At, DeviceName, IpAddress } = (mails[0]?.content ?? {}) as Record<string, string>;
    assert.ok(Math.abs(Date.parse(At ?? '') - Date.now()) < 60_000);
    assert.equal(DeviceName, 'Firefox, Linux');
    assert.ok(isIP(IpAddress ?? ''));
  });

  it('is not linked by a sign-in that the provider reports as old', async () => {
    const owner = await world.newOwner();
    const signedInAgo = (seconds: number) => somebody({ auth_time: Math.floor(Date.now() / 1000) - seconds });
    for (const seconds of [60, 86_400, -60]) {
      const { SignOnError } = await proved(owner, signedInAgo(seconds));
      assert.deepEqual([SignOnError, await owner.list()], ['sign_on_not_fresh', []]);
    }
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
    await expires(owner);
    assert.deepEqual(refusalOf(await owner.finish(IdentityCode)), [400, 'invalid_code']);
    const begun = await owner.begin();
    await expires(owner);
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
    const owner = await world.newOwner();
    await loggedInLongAgo(world.services.app, owner);
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

  const link = async (owner: Owner, provider = 'corp'): Promise<number> => {
    const [row] = await query<{ number: string }>(
      world.services.app.db,
      'insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, ?) returning number',
      [`https://${provider}.example`, newId(), owner.id, provider],
    );
    return Number(row?.number);
  };
  const change = (owner: Owner, assignments: string) =>
    query(world.services.app.db, `update account set ${assignments} where id = ?`, [owner.id]);
  const withoutPassword = (owner: Owner) => change(owner, 'password_hash = null, password_scheme = null');
  const signOn = async (owner: Owner, ssoProvider: string): Promise<string> => {
    const { app } = world.services;
    const account = await accounts.findById(app.db, owner.id);
    if (account === undefined) throw new Error('there is no such account');
    const opening = await openSession(app, account, {
      traceId: '0',
      dueAt: Infinity,
      authentication: BY_PASSWORD,
      ssoProvider,
    });
    if (opening.kind !== 'opened') throw new Error('no session opens');
    return opening.tokens.Token;
  };
  const statusWith = async (owner: Owner, token: string) =>
    (await owner.call('GET', '/account/identity', undefined, token)).status;

  it('is unlinked with the other sessions that it opened, and no others', async () => {
    const owner = await world.newOwner();
    const number = await link(owner);
    await link(owner, 'strict');
    const [byIt, byOther] = [await signOn(owner, 'corp'), await signOn(owner, 'strict')];
    const { Token: byPassword } = await logIn(world.services.app, owner);
    assert.equal((await owner.unlink(number)).status, 204);
    assert.deepEqual(
      [await statusWith(owner, byIt), await statusWith(owner, byOther), await statusWith(owner, byPassword)],
      [401, 200, 200],
    );
    assert.equal((await owner.unlink(number)).status, 404);
    const { entries } = await readAudit(world.services.app);
    const unlinked = entries.filter(
      ({ action, targetId }) => action === 'sso.unlinked' && targetId === owner.id,
    );
    const reports = unlinked.map(({ actorId, details }) => [actorId, details]);
    assert.deepEqual(reports, [[owner.id, { Provider: 'corp' }]]);
  });

  it('is reported to the owner in a mail when unlinked', async () => {
    const owner = await world.newOwner();
    for (const provider of ['corp', 'gone'])
      assert.equal((await owner.unlink(await link(owner, provider))).status, 204);
    const only = await link(owner);
    await withoutPassword(owner);
    assert.equal((await owner.unlink(only)).status, 409);
    const mails = await world.mailsTo(owner.email);
    assert.deepEqual(
      mails.map(({ type, content }) => [type, 'At' in content, 'IpAddress' in content]),
      Array.from({ length: 2 }, () => ['account.identity-unlinked', true, true]),
    );
  });

  it('keeps the current session', async () => {
    const owner = await world.newOwner();
    const number = await link(owner);
    const token = await signOn(owner, 'corp');
    assert.equal((await owner.call('DELETE', '/account/identity', { Number: number }, token)).status, 204);
    assert.equal(await statusWith(owner, token), 200);
  });

  it('cannot be removed if it is the only sign-in method, or the others cannot sign in: unknown providers, or a required second factor', async () => {
    const owner = await world.newOwner();
    const number = await link(owner);
    await withoutPassword(owner);
    await link(owner, 'gone');
    assert.equal((await owner.unlink(number)).status, 409);
    await link(owner, 'strict');
    await change(owner, 'two_factor_required = true');
    assert.equal((await owner.unlink(number)).status, 409);
    await change(owner, 'two_factor_required = false');
    assert.equal((await owner.unlink(number)).status, 204);
  });

  it('keeps one of two that are unlinked concurrently', async () => {
    const owner = await world.newOwner();
    const numbers = [await link(owner), await link(owner, 'strict')];
    await withoutPassword(owner);
    const answers = await Promise.all(numbers.map((number) => owner.unlink(number)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204, 409]));
    assert.equal((await owner.list()).length, 1);
  });

  it('can be removed by its owner only, after a proof', async () => {
    const [owner, other] = [await world.newOwner(), await world.newOwner()];
    const number = await link(owner);
    assert.equal((await other.unlink(number)).status, 404);
    assert.deepEqual(await other.list(), []);
    await loggedInLongAgo(world.services.app, owner);
    const { status, body } = await owner.unlink(number);
    assert.deepEqual([status, body['code']], [403, 'confirmation_required']);
  });
});

/** Makes the login of an account too old to confirm anything. */
function loggedInLongAgo({ db }: Services['app'], { id }: { id: string }) {
  const old = `update user_session set authenticated_at = now() - interval '6 minutes' where account_id = ?`;
  return query(db, old, [id]);
}

/** The URL of Admin for browsers, as configured. */
const ADMIN_URL = 'https://admin.gatehouse.test';

/** Core and Admin of one installation with two identity providers, and helpers for owners of identities. */
async function startIdentities() {
  const [corp, strict] = [await startProvider(), await startProvider()];
  const returnUrls = ['https://app.gatehouse.test/'];
  const services = await startServices({ SINGLE_SESSION: false }, undefined, {
    ADMIN_URL,
    SSO_PROVIDERS: JSON.stringify([
      { id: 'corp', issuer: corp.issuer, ...CLIENT, returnUrls, trustEmail: false },
      { id: 'strict', issuer: strict.issuer, ...CLIENT, returnUrls, allowedDomains: ['corp.example'] },
    ]),
  });
  const providers: Record<string, typeof corp> = { corp, strict };

  /**
   * Follows a browser's redirects from this URL at Admin. Returns where they end, and the parameters in the fragment.
   */
  const travel = async (url: string, person: Record<string, unknown>): Promise<Travelled> => {
    const { pathname, search } = new URL(url);
    const provider = providers[pathname.split('/')[2] ?? ''];
    if (provider === undefined) throw new Error(`no provider in ${pathname}`);
    Object.assign(provider.behaviour, { person });
    const begun = await services.send('Admin', { method: 'GET', path: pathname + search });
    if (begun.status !== 303) return { status: begun.status, page: '', parameters: {}, asked: undefined };
    const asked = new URL(String(begun.headers['location']));
    const answered = await fetch(asked, { redirect: 'manual' });
    const callback = new URL(answered.headers.get('location') ?? '');
    const cookie = [begun.headers['set-cookie']].flat().map((one) => one?.split(';')[0]);
    const headers = { cookie: cookie.join('; ') };
    const sent = { method: 'GET', path: callback.pathname + callback.search, headers };
    const back = await services.send('Admin', sent);
    const [page, fragment] = String(back.headers['location']).split('#');
    const parameters = Object.fromEntries(new URLSearchParams(fragment));
    return { status: back.status, page, parameters, asked: asked.searchParams };
  };

  /** The mails about identities that an owner gets. */
  const mailsTo = async (email: string) =>
    (await services.app.mailsTo(email)).filter(({ type }) => type.startsWith('account.identity-'));

  /** A logged-in user. */
  const newOwner = async (options: Parameters<typeof newAccount>[1] = {}) =>
    ownerOf(services, await newAccount(services.app, options));

  return {
    services,
    travel,
    mailsTo,
    newOwner,
    stop: async () => {
      await services.stop();
      await corp.stop();
      await strict.stop();
    },
  };
}

interface Travelled {
  status: number;
  page: string | undefined;
  parameters: Record<string, string>;
  /** The parameters of the request to the provider. */
  asked: URLSearchParams | undefined;
}

type Identities = Awaited<ReturnType<typeof startIdentities>>;

async function ownerOf(services: Services, account: Awaited<ReturnType<typeof newAccount>>) {
  const session = await logIn(services.app, account);
  const call = (method: string, path: string, body?: object, token = session.Token) =>
    services.send('Core', { method, path, headers: { authorization: `Bearer ${token}` }, body });
  return {
    ...account,
    ...session,
    call,
    begin: (provider = 'corp', proof: object = {}) => call('POST', `/account/identity/${provider}`, proof),
    finish: (IdentityCode = '', token?: string) => call('POST', '/account/identity', { IdentityCode }, token),
    unlink: (number: number, proof: object = {}) =>
      call('DELETE', '/account/identity', { Number: number, ...proof }),
    list: async () => (await call('GET', '/account/identity')).body['Items'] as Record<string, unknown>[],
  };
}
