import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { cast } from '../testing/cast.ts';

const PROVIDER = {
  id: 'acme',
  issuer: 'http://127.0.0.1:9/',
  clientId: 'gatehouse',
  clientSecret: 'the secret of a provider that nobody may see',
  returnUrls: ['https://app.example.com/done'],
  trustEmail: true,
  provisioning: 'jit',
  allowedDomains: ['example.com'],
};
const SSO = JSON.stringify([PROVIDER, { ...PROVIDER, id: 'corp', name: 'Example Corp' }]);

describe('the state of the installation', () => {
  const { app, boss, get } = cast({}, { ADMIN_URL: 'https://admin.example.com/', SSO_PROVIDERS: SSO });

  it('shows version, migrations, keys, dependencies and what waits', async () => {
    const body = await boss.read('/admin/system');
    assert.match(body.Version, /^\d+\.\d+\.\d+/);
    assert.equal(body.Migrations.Applied[0], '0000_baseline');
    assert.deepEqual(body.Migrations.Missing, []);
    assert.deepEqual(
      body.SigningKeys.map(({ Signs }: { Signs: boolean }) => Signs),
      [true],
    );
    const found = Object.fromEntries(
      body.Dependencies.map((one: { Name: string; IsReachable: boolean }) => [one.Name, one.IsReachable]),
    );
    assert.deepEqual(Object.keys(found), ['postgres', 'redis', 'rabbitmq']);
    assert.ok(found['postgres'] && found['redis']);
    assert.match(body.Dependencies[0].Version, /^\d+/);
    assert.ok(Math.abs(Date.parse(body.Time) - Date.now()) < 30_000);
    assert.deepEqual([body.Mails, body.LastMailSentAt], [{ Waiting: 0, OldestSeconds: 0 }, null]);
  });

  it('tells the console how people sign in, without secrets', async () => {
    const { body, text } = await get('/console/options').expect(200);
    const { Version, PublicUrl, Passkeys, ...rest } = body;
    assert.match(Version, /^\d+\.\d+\.\d+/);
    assert.equal(PublicUrl, app().settings.ISSUER);
    assert.equal(typeof Passkeys, 'boolean');
    assert.deepEqual(rest, {
      SingleSession: true,
      Providers: [
        { Id: 'acme', Name: 'acme' },
        { Id: 'corp', Name: 'Example Corp' },
      ],
      SignOnUrl: 'https://admin.example.com/console',
      Locales: ['en', 'de'],
    });
    assert.ok(!text.includes('nobody may see') && !text.includes('app.example.com'));
  });

  it('shows how full the queues of mails are, and whether Redis throws anything away', async () => {
    const read = async () => await boss.read('/admin/system');
    const { Queues, RedisMemory } = await eventually(async () => {
      const body = await read();
      return body.Queues?.length > 0 ? body : undefined;
    });
    const [mails] = Queues;
    assert.deepEqual([mails.Consumers, Number.isInteger(mails.Messages)], [0, true]);
    assert.ok(Queues.some(({ Name }: { Name: string }) => Name.endsWith('mail.dead')));
    assert.deepEqual(RedisMemory, { EvictedKeys: 0, Policies: ['noeviction'] });
  });

  it('shows no secret, not even in an address', async () => {
    const { body, text } = await boss.get('/admin/system').expect(200);
    const { settings } = app();
    for (const secret of [
      settings.TOKEN_SECRET,
      settings.PASSWORD_PEPPER,
      settings.DATABASE_URL,
      settings.AMQP_URL,
    ])
      assert.ok(!text.includes(secret));
    assert.ok(!text.includes('nobody may see') && !text.includes('"d"'));
    const value = (name: string) =>
      body.Settings.find((one: { Name: string }) => one.Name === name)?.Value as unknown;
    assert.deepEqual(
      ['DATABASE_URL', 'SSO_PROVIDERS', 'SIGNING_KEYS', 'DATABASE_CA', 'ISSUER', 'SINGLE_SESSION'].map(value),
      ['set', 'set', 'set', null, settings.ISSUER, true],
    );
  });

  it('lists identity providers without secrets, and whether they were reached', async () => {
    const list = async () => {
      const { body, text } = await boss.get('/admin/sso-provider').expect(200);
      assert.ok(!text.includes('nobody may see'));
      return body.Items;
    };
    const [{ LastDiscoveryAt, ...provider }] = await list();
    assert.deepEqual(
      [LastDiscoveryAt, provider],
      [
        null,
        {
          Id: 'acme',
          Name: 'acme',
          Issuer: 'http://127.0.0.1:9/',
          CallbackUrl: 'https://admin.example.com/auth/acme/callback',
          ReturnUrls: ['https://app.example.com/done'],
          Provisioning: 'jit',
          AllowedDomains: ['example.com'],
          TrustEmail: true,
          TrustSecondFactor: false,
          LeftOutGroups: [],
          IsReachable: null,
          Identities: 0,
        },
      ],
    );
    await get('/auth/acme/login');
    const [later] = await list();
    assert.equal(later.IsReachable, false);
    assert.ok(Math.abs(Date.parse(later.LastDiscoveryAt) - Date.now()) < 30_000);
  });
});
