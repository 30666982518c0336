import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { during } from '@gatehouse/runtime/testing';
import { useSso } from '../testing/browser.ts';
import { startGithub, type GithubPerson } from '../testing/github.ts';

const OCTOCAT = { login: 'octocat', name: 'Ann Other', email: null, two_factor_authentication: true };

describe('signing on with GitHub', () => {
  const github = during(startGithub);
  const sso = useSso(() => {
    const settings = { kind: 'github', issuer: github.issuer, provisioning: 'jit' };
    return { github: settings, wrong: { ...settings, clientSecret: 'another' } };
  });

  let ids = 1000;
  const personOf = (email: string): GithubPerson => ({
    user: { ...OCTOCAT, id: (ids += 1) },
    emails: [
      { email: 'octocat@users.noreply.github.com', primary: false, verified: true, visibility: null },
      { email, primary: true, verified: true, visibility: 'private' },
    ],
  });
  const signOn = async (person: GithubPerson, id = 'github') => {
    github.recognise(person);
    return (await sso.browser().signOn(id)).parameters;
  };
  const accountOf = async (email: string) => {
    const statement = `select display_name as name, subject, issuer
      from account join sso_identity on account_id = account.id
       where email = ?`;
    const [row] = await sso.sql<Record<'name' | 'subject' | 'issuer', string>>(statement, [email]);
    return row;
  };

  it('makes an account with the primary email, the name or else the login, and the numeric id', async () => {
    const email = someEmail();
    const person = personOf(email);
    assert.ok((await signOn(person))['github_token']);
    const subject = String(person.user['id']);
    assert.deepEqual(await accountOf(email), { name: 'Ann Other', subject, issuer: github.issuer });
    assert.equal(github.asked.at(-1)?.get('scope'), 'read:user user:email');
    const other = someEmail();
    const { user, emails } = personOf(other);
    await signOn({ user: { ...user, name: null }, emails });
    assert.equal((await accountOf(other))?.name, 'octocat');
  });

  it('finds the account again by the id, whatever the login, the name and the email are then', async () => {
    const email = someEmail();
    const person = personOf(email);
    await signOn(person);
    const renamed = { ...personOf(someEmail()).user, id: person.user['id'], login: 'renamed' };
    assert.ok((await signOn({ user: renamed, emails: [] }))['github_token']);
    const stranger = { ...personOf(someEmail()), user: { ...person.user, id: (ids += 1) } };
    assert.ok((await signOn(stranger))['github_token']);
    assert.equal((await accountOf(email))?.subject, String(person.user['id']));
  });

  for (const [what, change, error] of [
    ['a primary email that is not verified', { primary: true, verified: false }, 'email_not_verified'],
    ['a verified email that is not the primary one', { primary: false, verified: true }, 'email_missing'],
    ['a text as verification', { primary: true, verified: 'no' }, 'email_not_verified'],
  ] as const)
    it(`does not use ${what}`, async () => {
      const email = someEmail();
      const { user } = personOf(email);
      assert.deepEqual(await signOn({ user, emails: [{ email, ...change }] }), { error });
      assert.equal(await accountOf(email), undefined);
    });

  for (const [what, change, error] of [
    ['names no user', { user: { login: 'octocat' } }, 'provider_error'],
    ['names a user by a text', { user: { id: '1' } }, 'provider_error'],
    ['refuses the emails', { emailsStatus: 403 }, 'provider_error'],
    ['is down', { emailsStatus: 502 }, 'provider_unavailable'],
    ['sends no list of emails', { emails: { message: 'x' } }, 'email_missing'],
  ] as const)
    it(`opens no session if the API ${what}`, async () => {
      assert.deepEqual(await signOn({ ...personOf(someEmail()), ...change }), { error });
    });

  it('opens no session with a wrong secret, a wrong state or a code of another sign-on', async () => {
    assert.deepEqual(await signOn(personOf(someEmail()), 'wrong'), { error: 'provider_error' });
    const { callback } = await sso.sentBack('github');
    const stolen = new URL(callback).searchParams.get('code') ?? '';
    const other = sso.browser();
    const own = new URL(await other.visit(await other.begin('github')));
    own.searchParams.set('code', stolen);
    assert.deepEqual((await other.returnFromProvider(own.href)).parameters, { error: 'provider_error' });
    assert.equal((await other.returnFromProvider(callback)).status, 400);
  });

  it('lets people choose an account where a fresh sign-on is asked, which it does not become', async () => {
    const asked = new URL(await sso.browser().begin('github', '?fresh=true')).searchParams;
    assert.deepEqual([asked.get('prompt'), asked.get('max_age')], ['select_account', null]);
  });

  it('takes no logout tokens', async () => {
    const path = '/auth/github/backchannel-logout';
    const sent = sso.admin.http.post(path).type('application/x-www-form-urlencoded');
    await sent.send('logout_token=a.b.c').expect(400);
  });
});
