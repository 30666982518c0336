import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { someAddress, someEmail, atOnce } from '@gatehouse/accounts/testing';
import { cookieOf, problem, SAME_ORIGIN } from '../../testing/cast.ts';
import { ADMIN_URL, personClaims, useSso, type Returned } from '../testing/browser.ts';

const CONSOLE = `${ADMIN_URL}/console`;

describe('a sign-on to the console', () => {
  const sso = useSso({
    corp: { name: 'Corp', provisioning: 'jit' },
    staff: { provisioning: 'invited' },
    strong: { trustSecondFactor: true },
    strange: { trustEmail: false },
  });
  let ann: Awaited<ReturnType<typeof sso.member>>;
  beforeEach(async () => (ann = await sso.member({ role: 'Admin' })));

  const newState = () => randomBytes(32).toString('hex');
  const parameters = ({ headers }: Pick<Returned, 'headers'>): Record<string, string> => {
    const [page, fragment = ''] = (headers['location'] ?? '').split('#');
    assert.equal(page, CONSOLE, headers['location']);
    return Object.fromEntries(new URLSearchParams(fragment));
  };
  const signOn = async (id: string, person: Record<string, unknown>, more = '') => {
    sso.recognise(id, person);
    const state = newState();
    const back = parameters(await sso.browser().signOn(id, `?console=true&state=${state}${more}`));
    assert.equal(back['State'], state);
    return back;
  };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    sso.admin.http
      .post(path)
      .set({ 'x-forwarded-for': someAddress(), ...SAME_ORIGIN, ...headers })
      .send(body);
  const exchange = (SignOnCode: unknown, headers?: Record<string, string>) =>
    post('/console/handover/exchange', { SignOnCode }, headers);

  const open = async (who = ann) => {
    const { SignOnCode } = await signOn('corp', personClaims(who.email));
    return { cookie: cookieOf(await exchange(SignOnCode).expect(200)) };
  };
  const dangerous = (cookie: { cookie: string }) =>
    post('/admin/api-token', { Name: 'Everything', Role: 'Admin' }, cookie);
  const withAuthTime = (secondsAgo: number) => ({ auth_time: Math.floor(Date.now() / 1000) - secondsAgo });

  it('opens a session for an administrator without a password, without exposing a token', async () => {
    await ann.set('password_hash = null, password_scheme = null');
    const { SignOnCode, ...others } = await signOn('corp', personClaims(ann.email));
    assert.deepEqual(Object.keys(others), ['State']);
    const answer = await exchange(SignOnCode).expect(200);
    assert.deepEqual([answer.body.Account.Email, answer.body.Account.HasPassword], [ann.email, false]);
    const headers = { cookie: cookieOf(answer), ...SAME_ORIGIN };
    await sso.admin.http.get('/admin/account').set(headers).expect(200);
    assert.equal((await ann.sessions()).length, 1);
    await exchange(SignOnCode).expect(400);
  });

  it('is restricted to administrators: others lose no session, and no account is created or linked', async () => {
    const ben = await sso.member();
    const { Token } = await sso.login(ben);
    for (const id of ['corp', 'staff', 'strong'])
      assert.equal((await signOn(id, personClaims(ben.email)))['SignOnError'], 'not_administrator');
    assert.equal((await sso.admin.get('/admin/account', Token)).body.code, 'forbidden');
    assert.equal((await sso.sql('select 1 from sso_identity where account_id = ?', [ben.id])).length, 0);
    assert.equal((await signOn('corp', personClaims(someEmail())))['SignOnError'], 'not_provisioned');
    assert.equal((await signOn('strange', personClaims(ann.email)))['SignOnError'], 'email_not_verified');
  });

  it('refuses administrators who were demoted or disabled meanwhile', async () => {
    await open();
    await ann.set(`role = 'User'`);
    assert.equal((await signOn('corp', personClaims(ann.email)))['SignOnError'], 'not_administrator');
    await ann.set(`role = 'Admin'`);
    const { SignOnCode: demoted } = await signOn('corp', personClaims(ann.email));
    await ann.set(`role = 'User'`);
    await exchange(demoted).expect(problem('invalid_code'));
    await ann.set(`role = 'Admin'`);
    const { SignOnCode: disabled } = await signOn('corp', personClaims(ann.email));
    await ann.set('is_disabled = true');
    await exchange(disabled).expect(400);
    assert.equal((await ann.sessions()).length, 1);
    assert.equal((await signOn('corp', personClaims(ann.email)))['SignOnError'], 'account_disabled');
  });

  it('is accepted in the browser that started it, once, and not from a page of another site', async () => {
    const query = `?console=true&state=${newState()}`;
    const { browser: own, callback } = await sso.sentBack('corp', personClaims(ann.email), query);
    const elsewhere = parameters(await sso.browser().returnFromProvider(callback));
    assert.deepEqual(elsewhere, { SignOnError: 'invalid_attempt' });
    const { SignOnCode } = parameters(await own.returnFromProvider(callback));
    assert.equal((await exchange(SignOnCode, { 'sec-fetch-site': 'cross-site' })).body.code, 'cross_site');
    // A link with an attacker's own code fails: without a state, the console accepts only hand-over codes.
    await post('/console/handover/exchange', { HandoverCode: SignOnCode }).expect(400);
    const cookie = { cookie: cookieOf(await exchange(SignOnCode)) };
    await post('/console/session/confirm', { SignOnCode }, cookie).expect(400);
    await post('/console/handover/exchange', { HandoverCode: 'x', SignOnCode: 'y' }).expect(400);
    const again = parameters(await own.returnFromProvider(callback));
    assert.equal(again['SignOnCode'], undefined);
  });

  it('does not confirm by itself; a new sign-on of the same account does, once', async () => {
    const cookie = await open();
    await dangerous(cookie).expect(problem('confirmation_required'));
    const before = (await ann.sessions()).length;
    const fresh = { ...personClaims(ann.email), ...withAuthTime(0) };
    const { SignOnCode } = await signOn('corp', fresh, '&confirm=true');
    assert.equal((await ann.sessions()).length, before);
    // The code opens no session, and is not accepted in another account's session.
    await exchange(SignOnCode).expect(400);
    const ben = await sso.member({ role: 'Admin' });
    const bens = await open(ben);
    await post('/console/session/confirm', { SignOnCode }, bens).expect(problem('invalid_code'));
    await dangerous(bens).expect(problem('confirmation_required'));
    const answers = await atOnce(5, () => post('/console/session/confirm', { SignOnCode }, cookie));
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    await dangerous(cookie).expect(201);
  });

  it('does not confirm with an old or unknown authentication time', async () => {
    await open();
    for (const claims of [withAuthTime(60), withAuthTime(86_400), withAuthTime(-60), {}]) {
      const back = await signOn('corp', { ...personClaims(ann.email), ...claims }, '&confirm=true');
      assert.deepEqual([back['SignOnError'], back['SignOnCode']], ['sign_on_not_fresh', undefined]);
    }
    const stranger = await sso.member({ role: 'Admin' });
    const untied = { ...personClaims(stranger.email), ...withAuthTime(0) };
    assert.equal((await signOn('corp', untied, '&confirm=true'))['SignOnError'], 'not_administrator');
  });

  it('does not confirm for who has a second factor, unless the provider is trusted with it', async () => {
    const at = (id: string, more = '') =>
      signOn(id, { ...personClaims(ann.email), ...withAuthTime(0) }, more);
    await Promise.all([at('corp'), at('strong')]);
    await ann.set('two_factor_required = true');
    assert.equal((await at('corp', '&confirm=true'))['SignOnError'], 'two_factor_required');
    assert.ok((await at('strong', '&confirm=true'))['SignOnCode']);
  });

  it('does not confirm if the provider has logged the user out since it began', async () => {
    const person = personClaims(ann.email);
    const logOut = (claims: object) =>
      sso.logOut('corp', sso.provider('corp').logoutToken(claims)).expect(200);
    /** A sign-on in this session of the provider. */
    const comingBack = async (sid: string, more = '') => {
      sso.recognise('corp', person, { claims: { ...withAuthTime(0), sid } });
      const back = await sso.comingBack('corp', `?console=true&state=${newState()}${more}`);
      return async () => parameters(await back());
    };
    const { SignOnCode } = await (await comingBack('console'))();
    const cookie = { cookie: cookieOf(await exchange(SignOnCode).expect(200)) };
    for (const claims of [{ sid: 'one' }, { sub: person.sub, sid: 'one' }]) {
      const returnFromProvider = await comingBack('one', '&confirm=true');
      await logOut(claims);
      assert.equal((await returnFromProvider())['SignOnError'], 'invalid_attempt');
    }
    const late = await (await comingBack('two', '&confirm=true'))();
    await logOut({ sub: person.sub, sid: 'two' });
    await post('/console/session/confirm', { SignOnCode: late['SignOnCode'] }, cookie).expect(400);
    const good = await (await comingBack('three', '&confirm=true'))();
    await post('/console/session/confirm', { SignOnCode: good['SignOnCode'] }, cookie).expect(204);
  });

  it('requires a new authentication at the provider only for a confirmation, and on request', async () => {
    const parametersOf = async (search: string) =>
      new URL(await sso.browser().begin('corp', search)).searchParams;
    const search = `?console=true&state=${newState()}`;
    for (const one of ['?fresh=true', `${search}&confirm=true`]) {
      const fresh = await parametersOf(one);
      assert.deepEqual([fresh.get('prompt'), fresh.get('max_age')], ['login', '0']);
    }
    const plain = await parametersOf(search);
    assert.equal(plain.get('prompt'), null);
    assert.notEqual(plain.get('max_age'), '0');
  });
});
