import assert from 'node:assert/strict';
import { eventTypes } from '@gatehouse/events';
import { optionalSecret, secret, setting } from '@gatehouse/runtime';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { Type } from '@gatehouse/schema';
import { cast } from '../testing/cast.ts';
import { settings } from '../config.ts';
import { effectiveSettings } from './effective-settings.ts';

const PROVIDER = {
  ...{ id: 'acme', issuer: 'http://127.0.0.1:9/', clientId: 'gatehouse' },
  ...{ provisioning: 'jit', trustEmail: true },
  clientSecret: 'the secret of a provider that nobody may see',
  ...{ returnUrls: ['https://app.example.com/done'], allowedDomains: ['example.com'] },
};
const SSO = JSON.stringify([PROVIDER, { ...PROVIDER, id: 'corp', name: 'Example Corp' }]);

describe('the state of the installation', () => {
  const { app, boss, get } = cast({}, { ADMIN_URL: 'https://admin.example.com/', SSO_PROVIDERS: SSO });

  it('shows version, migrations, keys, dependencies and what waits', async () => {
    const body = await boss.read('/admin/system');
    assert.match(body.Version, /^\d+\.\d+\.\d+/);
    assert.equal(body.Migrations.Applied[0], '0000_baseline');
    assert.deepEqual(body.Migrations.Missing, []);
    assert.deepEqual(fieldsOf(body.SigningKeys, 'Signs'), [true]);
    assert.deepEqual(fieldsOf(body.Dependencies, 'Name'), ['postgres', 'redis', 'rabbitmq']);
    assert.deepEqual(fieldsOf(body.Dependencies.slice(0, 2), 'IsReachable'), [true, true]);
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
    const [acme, corp] = [
      { Id: 'acme', Name: 'acme' },
      { Id: 'corp', Name: 'Example Corp' },
    ];
    const SignOnUrl = 'https://admin.example.com/console';
    assert.deepEqual(rest, {
      SingleSession: true,
      Providers: [acme, corp],
      SignOnUrl,
      Locales: ['en', 'de'],
    });
    assert.ok(!text.includes('nobody may see') && !text.includes('app.example.com'));
  });

  it('shows how full the queues of mails are, and whether Redis throws anything away', async () => {
    const { Queues, RedisMemory } = await eventually(async () => {
      const body = await boss.read('/admin/system');
      return body.Queues?.length > 0 ? body : undefined;
    });
    const [mails] = Queues;
    assert.deepEqual([mails.Consumers, Number.isInteger(mails.Messages)], [0, true]);
    assert.ok(Queues.some(({ Name }: { Name: string }) => Name.endsWith('mail.dead')));
    assert.deepEqual(RedisMemory, { EvictedKeys: 0, Policies: ['noeviction'] });
  });

  it('shows no secret, not even in an address', async () => {
    const { body, text } = await boss.get('/admin/system').expect(200);
    const { settings: own } = app();
    for (const hidden of [own.TOKEN_SECRET, own.PASSWORD_PEPPER, own.DATABASE_URL, own.AMQP_URL])
      assert.ok(!text.includes(hidden));
    assert.ok(!text.includes('nobody may see') && !text.includes('"d"'));
    const { Value } = body.Settings.find(({ Name }: { Name: string }) => Name === 'ISSUER');
    assert.equal(Value, own.ISSUER);
  });

  it('lists identity providers without secrets, and whether they were reached', async () => {
    const list = async () => {
      const { body, text } = await boss.get('/admin/sso-provider').expect(200);
      assert.ok(!text.includes('nobody may see'));
      return body.Items;
    };
    const [{ LastDiscoveryAt, ...provider }] = await list();
    assert.equal(LastDiscoveryAt, null);
    assert.deepEqual(provider, {
      ...{ Id: 'acme', Name: 'acme', Issuer: 'http://127.0.0.1:9/', IsReachable: null, Identities: 0 },
      CallbackUrl: 'https://admin.example.com/auth/acme/callback',
      ReturnUrls: ['https://app.example.com/done'],
      ...{ Provisioning: 'jit', AllowedDomains: ['example.com'], LeftOutGroups: [] },
      ...{ TrustEmail: true, TrustSecondFactor: false },
    });
    await get('/auth/acme/login');
    const [later] = await list();
    assert.equal(later.IsReachable, false);
    assert.ok(Math.abs(Date.parse(later.LastDiscoveryAt) - Date.now()) < 30_000);
  });
});

const CANARY = 'a secret that nobody may see, ever';

describe('the settings in force', () => {
  const schema = Type.Object({
    KEY: secret('a key'),
    OTHER_KEY: optionalSecret('another'),
    URL: setting('', 'an address'),
    URLS: setting('', 'addresses'),
    PEM: setting('', 'a certificate'),
    COUNT: setting(7, 'a count'),
    IS_ON: setting(false, 'a switch'),
  });
  const valuesOf = (config: Record<string, unknown>) =>
    Object.fromEntries(effectiveSettings(schema, config).map(({ name, value }) => [name, value]));

  it('show whether a secret is set, and no user name, password or query of an address', () => {
    const { KEY, OTHER_KEY, COUNT, IS_ON } = valuesOf({ KEY: CANARY, COUNT: 8, IS_ON: false });
    assert.deepEqual([KEY, OTHER_KEY, COUNT, IS_ON], ['set', null, 8, false]);
    for (const [given, shown] of [
      ['https://example.com/path', 'https://example.com/path'],
      ['https://ann:pass@example.com/path?token=x#y', 'https://example.com/path'],
      ['https://ann:p@ss@example.com', 'https://example.com'],
      ['https://ann:p/a?s#s@example.com/x', 'https://example.com/x'],
      ['redis://:pass@one:1,rediss://u:pass@two:2/0', 'redis://one:1,rediss://two:2/0'],
      ['Gatehouse <no-reply@example.com>', 'Gatehouse <no-reply@example.com>'],
      ['app.example:/callback', 'app.example:/callback'],
    ])
      assert.equal(valuesOf({ URL: given })['URL'], shown);
    assert.equal(valuesOf({ PEM: '-----BEGIN\nMII' })['PEM'], 'set');
  });

  it('include all settings of the service, without secrets', () => {
    const names = Object.keys(settings.properties);
    const config = Object.fromEntries(names.map((name) => [name, `x://${CANARY}@y`]));
    const shown = effectiveSettings(settings, config);
    assert.equal(shown.length, names.length);
    const secrets = 'DATABASE_URL REDIS_URL AMQP_URL TOKEN_SECRET PASSWORD_PEPPER SSO_PROVIDERS'.split(' ');
    for (const name of secrets) assert.equal(shown.find((one) => one.name === name)?.value, 'set', name);
    for (const { name, value } of shown) {
      if (!/SECRET|PEPPER|PASSWORD|_KEYS?$/.test(name) || /^PASSWORD_(MIN|HASH)/.test(name)) continue;
      if (!name.endsWith('_PUBLIC_KEY')) assert.equal(value, 'set', name);
    }
  });
});

describe('GET /events.json', () => {
  const { get } = cast();

  it('publishes the schema of every event', async () => {
    const { body, type: contentType } = await get('/events.json').expect(200);
    assert.equal(contentType, 'application/json');
    assert.deepEqual(Object.keys(body).toSorted(), eventTypes.toSorted());
    for (const type of eventTypes) assert.equal(body[type].properties.type.const, type);
  });
});
