import assert from 'node:assert/strict';
import { startAdmin } from '../testing/index.ts';

const provider = (id: string, name?: string) => ({
  id,
  ...(name !== undefined && { name }),
  issuer: 'http://127.0.0.1:9/',
  clientId: 'gatehouse',
  clientSecret: 'the secret of a provider that nobody may see',
  returnUrls: ['https://app.example.com/done'],
});

describe('GET /console/options', () => {
  it('returns public sign-in options, without secrets', async () => {
    const SSO_PROVIDERS = JSON.stringify([provider('corp', 'Example Corp'), provider('plain')]);
    const admin = await startAdmin({}, undefined, { ADMIN_URL: 'https://admin.example.com', SSO_PROVIDERS });
    try {
      const { body, text } = await admin.get('/console/options').expect(200);
      const { Version, PublicUrl, Passkeys, ...rest } = body;
      assert.match(Version, /^\d+\.\d+\.\d+/);
      assert.equal(PublicUrl, admin.app.settings.ISSUER);
      assert.equal(typeof Passkeys, 'boolean');
      assert.deepEqual(rest, {
        SingleSession: true,
        Providers: [
          { Id: 'corp', Name: 'Example Corp' },
          { Id: 'plain', Name: 'plain' },
        ],
        SignOnUrl: 'https://admin.example.com/console',
        Locales: ['en', 'de'],
      });
      assert.ok(!text.includes('nobody may see') && !text.includes('app.example.com'));
    } finally {
      await admin.stop();
    }
  });
});
