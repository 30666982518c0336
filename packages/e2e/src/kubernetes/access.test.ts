import assert from 'node:assert/strict';
import type { NetworkPolicy, NetworkPolicyPeer, Ingress } from 'kubernetes-types/networking/v1.d.ts';
import { VALUE_FILES, isSecret } from '@gatehouse/codegen';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { assertEnvironment, settingsOf } from '../containers/compose-file.ts';
import { manifestsOf, ofKind, workloadsOf, type Manifest, type Workload } from './manifests.ts';

const CI = 'deploy/helm/gatehouse/ci';
const COMPONENT = 'app.kubernetes.io/component';

describe('the network policies of the chart', () => {
  it('cover every pod', () => {
    const manifests = manifestsOf(`${CI}/least.yaml`);
    const workloads = workloadsOf(manifests).map(({ name }) => name);
    assert.deepEqual(fieldsOf(policiesOf(`${CI}/least.yaml`), 'name'), workloads.toSorted());
  });

  it('allow the required ingress', () => {
    assert.deepEqual(allowed('least', 'ingress'), {
      admin: ['gateway 8080'],
      core: ['gateway 8080'],
      gateway: ['anybody 8080,8090'],
      'mail-worker': [],
      migrate: [],
      portal: ['gateway 8080'],
    });
  });

  it('allow the required egress: SMTP only from the mail worker, identity providers only from Admin', () => {
    const api = ['kube-system 53,53', 'anybody 5432', 'anybody 5671,5672', 'anybody 6379'];
    assert.deepEqual(allowed('least', 'egress'), {
      admin: [...api, 'anybody 443'],
      core: api,
      gateway: ['kube-system 53,53', 'core+portal+admin 8080'],
      'mail-worker': ['kube-system 53,53', 'anybody 5432', 'anybody 5671,5672', 'anybody 25,465,587'],
      migrate: ['kube-system 53,53', 'anybody 5432'],
      portal: api,
    });
  });

  it('allow metrics and traces if enabled', () => {
    const metrics = 'monitoring 9080';
    const { gateway, migrate, ...services } = allowed('monitoring', 'ingress');
    assert.ok(Object.values(services).every((each) => each.at(-1) === metrics));
    assert.ok(![...(gateway ?? []), ...(migrate ?? [])].includes(metrics));
    const out = allowed('monitoring', 'egress');
    const tracing = Object.keys(out).filter((name) => out[name]?.includes('anybody 4318'));
    assert.deepEqual(tracing, Object.keys(services));
    const inside = ['kube-system 53,53', 'anybody 5432', 'anybody 5671,5672', 'anybody 4318'];
    assert.deepEqual(out['hook-worker'], [...inside, 'anybody 443', 'anybody 3128']);
  });

  it('allow a configured proxy for who calls addresses of others', () => {
    const out = allowed('monitoring', 'egress');
    const proxied = Object.keys(out).filter((name) => out[name]?.includes('anybody 3128'));
    assert.deepEqual(proxied, ['admin', 'hook-worker']);
  });

  it('use the configured peers', () => {
    assert.deepEqual(allowed('ingress', 'ingress')['gateway'], ['ingress-nginx 8080,8090']);
    assert.ok(allowed('ingress', 'egress')['migrate']?.includes('10.1.2.0/24 6432'));
  });
});

function policiesOf(values: string): { name: string; policy: NetworkPolicy }[] {
  return ofKind(manifestsOf(values), 'NetworkPolicy')
    .map((manifest) => {
      // Safe because of its kind; pods.test.ts checks this.
      const policy = manifest as NetworkPolicy;
      assert.deepEqual(policy.spec?.policyTypes, ['Ingress', 'Egress']);
      return { name: policy.spec.podSelector.matchLabels?.[COMPONENT] ?? '', policy };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** The allowed connections by component, each as `peers ports`. */
function allowed(values: string, direction: 'ingress' | 'egress'): Record<string, string[]> {
  const found = policiesOf(`${CI}/${values}.yaml`).map(({ name, policy }) => {
    const rules =
      direction === 'ingress'
        ? policy.spec?.ingress?.map(({ from, ports }) => ({ peers: from, ports }))
        : policy.spec?.egress?.map(({ to, ports }) => ({ peers: to, ports }));
    return [
      name,
      (rules ?? []).map(({ peers, ports = [] }) => {
        // A rule without ports would open all ports.
        assert.ok(ports.length > 0, name);
        const who = peers === undefined ? 'anybody' : peers.map(peer).join('+');
        return `${who} ${ports.map(({ port }) => port).join(',')}`;
      }),
    ];
  });
  return Object.fromEntries(found) as Record<string, string[]>;
}

function peer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer): string {
  const labels = { ...podSelector?.matchLabels, ...namespaceSelector?.matchLabels };
  const named = labels[COMPONENT] ?? labels['kubernetes.io/metadata.name'] ?? ipBlock?.cidr;
  assert.ok(named, 'an empty selector is everybody');
  return named;
}

interface HttpRoute {
  hostnames: string[];
  parentRefs: object[];
  rules: { backendRefs: { name: string; port: number }[] }[];
}

describe('external access to the chart’s gateway', () => {
  it('is an Ingress for each of its ports, by host name', () => {
    const doors = ofKind(manifestsOf(`${CI}/ingress.yaml`), 'Ingress').map(described);
    assert.deepEqual(doors, [
      {
        name: 'gatehouse-public',
        hosts: ['auth.example.com', 'accounts.example.com'],
        tls: [{ hosts: ['auth.example.com', 'accounts.example.com'], secretName: 'auth-tls' }],
        backends: ['/ Prefix gatehouse-gateway 8080', '/ Prefix gatehouse-gateway 8080'],
      },
      {
        name: 'gatehouse-admin',
        hosts: ['admin.example.com'],
        tls: [{ hosts: ['admin.example.com'], secretName: 'admin-tls' }],
        backends: ['/ Prefix gatehouse-gateway 8090'],
      },
    ]);
  });

  it('is an HTTPRoute, without the console if it is internal', () => {
    const routes = ofKind(manifestsOf(`${CI}/http-route.yaml`), 'HTTPRoute');
    // The type is that of Gateway API v1.
    const specs = routes.map(({ spec }) => spec as HttpRoute);
    assert.deepEqual(specs, [
      {
        parentRefs: [{ name: 'shared', namespace: 'gateways', sectionName: 'https' }],
        hostnames: ['auth.example.com'],
        rules: [{ backendRefs: [{ name: 'gatehouse-gateway', port: 8080 }] }],
      },
    ]);
  });

  it('is the only one: no Service is reachable from outside', () => {
    for (const values of VALUE_FILES) {
      for (const { metadata, spec } of ofKind(manifestsOf(values), 'Service')) {
        const { type, externalIPs } = spec as { type?: string; externalIPs?: string[] };
        assert.deepEqual([type, externalIPs], [undefined, undefined], metadata.name);
      }
    }
  });
});

function described(manifest: Manifest): object {
  // Safe because of its kind; pods.test.ts checks this.
  const { rules = [], tls } = (manifest as Ingress).spec ?? {};
  return {
    name: manifest.metadata.name,
    hosts: rules.map(({ host }) => host),
    tls,
    backends: rules.flatMap(({ http }) =>
      (http?.paths ?? []).map(
        ({ path, pathType, backend }) =>
          `${path} ${pathType} ${backend.service?.name} ${backend.service?.port?.number}`,
      ),
    ),
  };
}

/** Variables of the gateway's template that are not among its settings. */
const UPSTREAMS = ['CORE_SERVERS', 'PORTAL_SERVERS', 'ADMIN_SERVERS'];
const SETTINGS = `${CI}/settings.yaml`;

describe('the environment of the chart’s pods', () => {
  for (const values of VALUE_FILES) {
    it(`contains settings only, without secrets, with ${values}`, () => {
      for (const { name, container } of components(values)) {
        const given = (container.env ?? []).map((each) => each.name);
        assert.equal(new Set(given).size, given.length, `${name}: twice`);
        assertEnvironment(name, given, name === 'gateway' ? UPSTREAMS : []);
      }
    });
  }

  it('shows the file of applications and its secrets to Admin alone', () => {
    const reading = components(`${CI}/images.yaml`).filter(
      ({ container: { env = [], volumeMounts = [] } }) =>
        env.some(({ name }) => name === 'OAUTH_CLIENTS_FILE') ||
        volumeMounts.some(({ name }) => name === 'clients'),
    );
    assert.deepEqual(fieldsOf(reading, 'name'), ['admin']);
    const [{ container: { env = [], volumeMounts = [] } } = assert.fail()] = reading;
    assert.equal(volumeMounts.find(({ name }) => name === 'clients')?.mountPath, '/clients');
    assert.equal(env.find(({ name }) => name === 'OAUTH_CLIENTS_FILE')?.value, '/clients/clients.json');
  });

  it('has every secret of every service, as a file', () => {
    for (const { name, container } of components(`${CI}/monitoring.yaml`)) {
      const secrets = Object.entries(settingsOf(name)?.properties ?? {})
        .filter(([, setting]) => isSecret(setting))
        // Replaced by settings for files, because only a file can be rotated while the service runs.
        .filter(([setting]) => setting !== 'SIGNING_KEYS' && setting !== 'ID_TOKEN_KEYS')
        .map(([setting]) => `${setting}_FILE`);
      assert.equal(secrets.length >= 4, name !== 'gateway', name);
      const given = (container.env ?? []).map((each) => each.name);
      const missing = secrets.filter((each) => !given.includes(each));
      assert.deepEqual(missing, [], name);
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
    const lifetimes = valuesOf('SESSION_MAX_SECONDS');
    assert.deepEqual(lifetimes, ['31536000', '31536000', '31536000', undefined, undefined, undefined]);
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

function components(values: string): Workload[] {
  const workloads = workloadsOf(manifestsOf(values));
  return ORDER.flatMap((name) => workloads.filter((workload) => workload.name === name));
}
