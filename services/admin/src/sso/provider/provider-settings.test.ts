import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { ConfigError } from '@gatehouse/runtime';
import { testLog, useFolder } from '@gatehouse/runtime/testing';
import { readProviderSettings } from './provider-settings.ts';
import { openSso } from '../sso.ts';

const GOOD = {
  ...{ id: 'corp-1', issuer: 'https://idp.example.com/realms/corp', clientId: 'gatehouse' },
  ...{ clientSecret: 'a secret of the tests', returnUrls: ['https://app.example.com/signed-in'] },
};

const NO_SECRET = { clientSecret: undefined };
const GROUPS = { claim: 'a', prefix: '' };
const APPLE = { kind: 'apple', teamId: 'A123456789', keyId: 'B123456789' };

describe('SSO_PROVIDERS', () => {
  const pathOf = useFolder();
  const read = (...providers: unknown[]) => readProviderSettings(JSON.stringify(providers));

  it('may be left out or empty', () => {
    assert.deepEqual(readProviderSettings(undefined), []);
    assert.deepEqual(read(), []);
  });

  it('has cautious defaults', () =>
    assert.deepEqual(read(GOOD), [
      {
        ...GOOD,
        ...{ kind: 'openid', scopes: ['openid', 'email', 'profile'], freshPrompt: 'login' },
        claims: { email: 'email', emailVerified: 'email_verified', name: 'name' },
        ...{ emailVerified: 'claim', trustEmail: false, trustSecondFactor: false },
        ...{ provisioning: 'off', allowedDomains: [], follow: [] },
      },
    ]));

  it('takes a secret from a file, providers on this machine over http, and an app’s own return address', () => {
    const clientSecretFile = pathOf('secret');
    writeFileSync(clientSecretFile, 'from the file\n');
    const { clientSecret: _, ...rest } = GOOD;
    for (const issuer of ['http://127.0.0.1:9090', 'http://localhost:9090', 'http://[::1]:9090']) {
      const returnUrls = ['com.example.app:/signed-in', 'http://intranet/x?y=z'];
      const [provider] = read({ ...rest, clientSecretFile, issuer, returnUrls });
      assert.deepEqual([provider?.clientSecret, provider?.returnUrls], ['from the file', returnUrls]);
    }
  });

  for (const [what, entry, fault] of [
    ['an id in capitals', { id: 'Corp' }, 'id must match pattern'],
    ['an id that leads elsewhere', { id: '../x' }, 'id must match pattern'],
    ['plain http', { issuer: 'http://idp.example.com' }, 'issuer must be an https URL'],
    ['an issuer with a query', { issuer: 'https://idp.example.com/?x=1' }, 'issuer must be an https URL'],
    ['no secret', { clientSecret: undefined }, 'exactly one of clientSecret and clientSecretFile'],
    ['two secrets', { clientSecretFile: '/x' }, 'exactly one of clientSecret and clientSecretFile'],
    ['a secret that is not there', { ...NO_SECRET, clientSecretFile: '/no' }, 'cannot be read or is empty'],
    ['no openid', { scopes: ['email'] }, 'scopes must include openid'],
    ['a scope of two words', { scopes: ['openid', 'a b'] }, 'scopes/1 must match pattern'],
    ['no return address', { returnUrls: [] }, 'returnUrls must have at least 1 item'],
    ['a return address without a host', { returnUrls: ['/x'] }, 'returnUrls/0 must be'],
    ['a script as return address', { returnUrls: ['javascript:alert(1)'] }, 'returnUrls/0 must be'],
    ['a fragment', { returnUrls: ['https://app.example.com/#x'] }, 'returnUrls/0 must be'],
    ['accounts by emails that are not trusted', { provisioning: 'jit' }, 'provisioning requires trustEmail'],
    ['emails verified by all', { emailVerified: 'always' }, 'emailVerified always requires trustEmail'],
    ['addresses that follow without trust', { follow: ['email'] }, 'follow email requires trustEmail'],
    ['groups of GitHub', { kind: 'github', groups: GROUPS }, 'do not go with the kind github'],
    ['Apple without its key', { kind: 'apple' }, 'teamId and keyId go with the kind apple'],
    ['a team of another kind', { teamId: 'A123456789' }, 'teamId and keyId go with the kind apple'],
    ['a secret of Apple that is no key', APPLE, 'the client secret of Apple must be its private key'],
    ['a name that nobody knows', { trustEmails: true }, 'trustEmails is not a known field'],
    ['groups without what counts', { groups: { claim: 'a' } }, 'groups requires map, allow or prefix'],
    ['groups named twice', { claims: { groups: 'a' }, groups: { claim: 'b', allow: [] } }, 'keep groups'],
    ['a label that is none', { groups: { claim: 'a', map: { a: 'b,c' } } }, 'map/a must match pattern'],
    ['a prefix with a comma', { groups: { claim: 'a', prefix: 'a,' } }, 'groups/prefix must match pattern'],
  ] as const)
    it(`refuses ${what}, by name and without a value`, () =>
      assert.throws(
        () => read(GOOD, { ...GOOD, id: 'corp-2', ...entry }),
        (error) => {
          assert.ok(error instanceof ConfigError);
          assert.ok(error.message.includes('provider 2: ') && error.message.includes(fault), error.message);
          assert.ok(!error.message.includes(GOOD.clientSecret));
          return true;
        },
      ));

  it('refuses two providers of one id, and what is no list', () => {
    assert.throws(() => read(GOOD, GOOD), /two providers have the same id/);
    for (const text of ['x', '{}', '"a secret"', '7', '['])
      assert.throws(() => readProviderSettings(text), /^ConfigError: .*must be a JSON array/s);
    assert.throws(() => read('x', null, 7), /provider 1: .*provider 2: .*provider 3: /s);
  });

  it('needs ADMIN_URL, the address that browsers come back to', () => {
    const open = (ADMIN_URL?: string) => {
      const own = { ISSUER: 'https://auth.example.com', TOKEN_SECRET: 'x'.repeat(32) };
      const settings = { ...own, SSO_PROVIDERS: JSON.stringify([GOOD]), ...(ADMIN_URL && { ADMIN_URL }) };
      return openSso({ settings, now: Date.now, log: testLog() });
    };
    assert.throws(() => open(), { name: 'ConfigError', message: /ADMIN_URL is required/ });
    for (const [url, callbackUrl] of [
      ['https://admin.example.com', 'https://admin.example.com/auth/corp-1/callback'],
      ['https://example.com/admin/', 'https://example.com/admin/auth/corp-1/callback'],
    ] as const)
      assert.equal(open(url).find('corp-1')?.callbackUrl, callbackUrl);
  });
});
