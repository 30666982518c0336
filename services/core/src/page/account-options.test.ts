import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { testFolder } from '@gatehouse/runtime/testing';
import { cast } from '../testing/cast.ts';
import type { TestCore } from '../testing/index.ts';
import { readPageSettings } from './page-settings.ts';

const RETURN_URL = 'https://app.example.com/back?from=login';

const USUAL = {
  PasswordMinLength: 12,
  SingleSession: false,
  Registration: 'open',
  Passkeys: true,
  EmailLogin: 'off',
  Providers: [],
  Locales: ['en', 'de'],
};

describe('GET /account/options', () => {
  const { core, another } = cast({ PASSWORD_MIN_LENGTH: 12, SINGLE_SESSION: false });
  const directory = testFolder();
  let other: TestCore;
  before(async () => {
    writeFileSync(`${directory}/fr.json`, JSON.stringify({ 'login.title': 'Connexion' }));
    const pages = readPageSettings({
      LOCALES_DIRECTORY: directory,
      ADMIN_URL: 'https://admin.example.com/',
      APP_URL: 'https://app.example.com',
      CONTENT_URL: 'https://app.example.com/c/{ContentDefinitionId}',
      SUPPORT_URL: 'https://help.example.com',
      RETURN_URLS: `${RETURN_URL},com.example.secret-app:/login`,
      SSO_PROVIDER_NAMES: 'corp=Example Corp, plain',
    });
    other = await another({}, { selfRegistration: 'closed', pages });
  });

  it('returns the public rules, cacheable for a minute', async () => {
    const { body, headers } = await core().http.get('/account/options').expect(200);
    assert.deepEqual(body, USUAL);
    assert.equal(headers['cache-control'], 'public, max-age=60');
  });

  it('returns the return URL and the sign-on providers', async () => {
    const { body } = await other.http.get('/account/options').expect(200);
    assert.deepEqual(body, {
      ...USUAL,
      Registration: 'closed',
      Providers: [
        { Id: 'corp', Name: 'Example Corp', LoginUrl: 'https://admin.example.com/auth/corp/login' },
        { Id: 'plain', Name: 'plain', LoginUrl: 'https://admin.example.com/auth/plain/login' },
      ],
      Locales: ['en', 'de', 'fr'],
      AppUrl: 'https://app.example.com',
      ContentUrl: 'https://app.example.com/c/{ContentDefinitionId}',
      SupportUrl: 'https://help.example.com',
    });
  });

  it('accepts a return URL that is exactly on the list, and no other', async () => {
    const ask = async (returnUrl: string): Promise<unknown> => {
      const { body, text } = await other.http.get('/account/options').query({ returnUrl }).expect(200);
      assert.ok(!text.includes('secret-app'), 'the list is told');
      return (body as { ReturnUrl?: string }).ReturnUrl;
    };
    assert.equal(await ask(RETURN_URL), RETURN_URL);
    for (const url of [`${RETURN_URL}&more=1`, RETURN_URL.toUpperCase(), RETURN_URL.slice(0, -1), ''])
      assert.equal(await ask(url), undefined, url);
    await other.http.get(`/account/options?returnUrl=a&returnUrl=${RETURN_URL}`).expect(400);
  });
});

describe('readPageSettings', () => {
  for (const [names, adminUrl, fault] of [
    ['corp=Corp', undefined, 'ADMIN_URL is required'],
    ['Corp', 'https://admin.example.com', 'comma-separated list'],
    ['../../x=Corp', 'https://admin.example.com', 'comma-separated list'],
    ['corp=A,corp=B', 'https://admin.example.com', 'once'],
  ] as const)
    it(`refuses ${names} of single sign-on: ${fault}`, () => {
      const config = { ADMIN_URL: adminUrl, RETURN_URLS: '', SSO_PROVIDER_NAMES: names };
      assert.throws(() => readPageSettings(config), new RegExp(fault));
    });
});
