import assert from 'node:assert/strict';
import { COMPONENTS, isSecret, VALUE_FILES } from '@gatehouse/codegen';
import { manifestsOf, workloadsOf, type Workload } from './manifests.ts';

/** The schema of a component by the name in its manifests. */
const schemaOf = (name: string) => COMPONENTS[name.replace('-worker', 'Worker')];
const SETTING_OF_FILE = /_FILE$/;
/** Variables of the gateway's template that are not among its settings. */
const UPSTREAMS = ['CORE_SERVERS', 'PORTAL_SERVERS', 'ADMIN_SERVERS'];
const SETTINGS = 'deploy/helm/gatehouse/ci/settings.yaml';

describe('the environment of the chart’s pods', function () {
  this.timeout(30_000);

  for (const values of VALUE_FILES) {
    it(`contains settings only, without secrets, with ${values}`, () => {
      for (const { name, container } of components(values)) {
        const schema = schemaOf(name);
        assert.ok(schema);
        const given = (container.env ?? []).map((each) => each.name);
        assert.equal(new Set(given).size, given.length, `${name}: twice`);
        for (const each of given) {
          const setting = each in schema.properties ? each : each.replace(SETTING_OF_FILE, '');
          const isKnown = setting in schema.properties || (name === 'gateway' && UPSTREAMS.includes(each));
          assert.ok(isKnown, `${name}: ${each}`);
          assert.ok(!isSecret(schema.properties[each]), `${name}: ${each}`);
        }
        const settings = given.map((each) => each.replace(SETTING_OF_FILE, ''));
        const missing = (schema.required ?? []).filter(
          (each) => !('default' in (schema.properties[each] ?? {})) && !settings.includes(each),
        );
        assert.deepEqual(missing, [], name);
      }
    });
  }

  it('shows the file of applications and its secrets to Admin alone', () => {
    const reading = components('deploy/helm/gatehouse/ci/images.yaml').filter(
      ({ container: { env = [], volumeMounts = [] } }) =>
        env.some(({ name }) => name === 'OAUTH_CLIENTS_FILE') ||
        volumeMounts.some(({ name }) => name === 'clients'),
    );
    assert.deepEqual(
      reading.map(({ name }) => name),
      ['admin'],
    );
    const [{ container } = assert.fail()] = reading;
    assert.ok(
      container.volumeMounts?.some(({ name, mountPath }) => name === 'clients' && mountPath === '/clients'),
    );
    const { value } = container.env?.find(({ name }) => name === 'OAUTH_CLIENTS_FILE') ?? {};
    assert.equal(value, '/clients/clients.json');
  });

  it('has every secret of every service, as a file', () => {
    for (const { name, container } of components('deploy/helm/gatehouse/ci/monitoring.yaml')) {
      const secrets = Object.entries(schemaOf(name)?.properties ?? {})
        .filter(([, setting]) => isSecret(setting))
        // Replaced by settings for files, because only a file can be rotated while the service runs.
        .filter(([setting]) => setting !== 'SIGNING_KEYS' && setting !== 'ID_TOKEN_KEYS')
        .map(([setting]) => `${setting}_FILE`);
      assert.equal(secrets.length >= 4, name !== 'gateway', name);
      const given = (container.env ?? []).map((each) => each.name);
      assert.deepEqual(
        secrets.filter((each) => !given.includes(each)),
        [],
        name,
      );
    }
  });

  it('has shared settings where a component uses them, overridden by its own', () => {
    const environments = Object.fromEntries(
      components(SETTINGS).map(({ name, container }) => [
        name,
        Object.fromEntries((container.env ?? []).map((each) => [each.name, each.value])),
      ]),
    );
    const valuesOf = (setting: string) =>
      Object.values(environments).map((environment) => environment[setting]);
    assert.deepEqual(Object.keys(environments), ORDER);
    assert.deepEqual(valuesOf('SESSION_MAX_SECONDS'), [
      '31536000',
      '31536000',
      '31536000',
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(valuesOf('SINGLE_SESSION'), ['true', 'false', 'false', undefined, undefined, undefined]);
    const origin = 'https://app.example.com';
    assert.deepEqual(valuesOf('CORS_ORIGINS'), [origin, origin, origin, undefined, undefined, origin]);
    assert.equal(environments['core']?.['FACE_MARGIN'], '0.05');
    assert.equal(environments['admin']?.['ERASE_AFTER_DAYS'], '0');
    assert.equal(environments['gateway']?.['PUBLIC_DOCS'], 'off');
    const { container: migrate } =
      workloadsOf(manifestsOf(SETTINGS)).find(({ name }) => name === 'migrate') ?? {};
    const bound = migrate?.env?.find(({ name }) => name === 'AUDIT_KEEP_DAYS')?.value;
    assert.deepEqual([environments['admin']?.['AUDIT_KEEP_DAYS'], bound], ['0', '0']);
    assert.equal(environments['mail-worker']?.['MAIL_FROM'], 'Ökotopia "Accounts" <no-reply@example.com>');
    assert.equal(environments['core']?.['PUBLIC_URL'], 'https://accounts.example.com');
    assert.match(environments['core']?.['DATABASE_CA'] ?? '', /^-----BEGIN CERTIFICATE-----\nMIIB\n/);
  });
});

const ORDER = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker', 'gateway'];

function byOrder(one: string, other: string): number {
  return ORDER.indexOf(one) - ORDER.indexOf(other);
}

/** The services and the gateway, in this order. */
function components(values: string): Workload[] {
  return workloadsOf(manifestsOf(values))
    .filter(({ name }) => ORDER.includes(name))
    .toSorted((one, other) => byOrder(one.name, other.name));
}
