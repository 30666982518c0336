import assert from 'node:assert/strict';
import { readFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { HTTPGetAction } from 'kubernetes-types/core/v1.d.ts';
import { ROOT, VALUE_FILES } from '@gatehouse/codegen';
import { useFolder } from '@gatehouse/runtime/testing';
import { DEMO_SERVERS, manifestsOf, ofKind, parseManifests, workloadsOf } from './manifests.ts';
import type { Workload, Manifest } from './manifests.ts';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readPage } from '../documents/documents.ts';
import { makeSecrets } from '../../../../services/tools/src/secrets.ts';

/** By default each of these is derived from the number of processors of the node. */
const COUNTS = ['HASH_THREADS', 'GATEWAY_WORKERS'];
const SERVICES = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker'];

describe('the pods of the chart', () => {
  for (const values of VALUE_FILES) {
    describe(`with ${values}`, () => {
      let workloads: Workload[];
      before(() => (workloads = workloadsOf(manifestsOf(values))));

      it('are hardened', () => {
        for (const { name, pod, container } of workloads) {
          assert.equal(pod.automountServiceAccountToken, false, name);
          assert.equal(pod.serviceAccountName, undefined, name);
          assert.equal(pod.enableServiceLinks, false, name);
          assert.equal(pod.securityContext?.runAsNonRoot, true, name);
          assert.ok((pod.securityContext.runAsUser ?? 0) > 0, name);
          assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' }, name);
          const hardened = {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          };
          assert.deepEqual(container.securityContext, hardened, name);
          for (const forbidden of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers'])
            assert.ok(!(forbidden in pod), `${name}: ${forbidden}`);
          for (const volume of pod.volumes ?? []) assert.ok(!('hostPath' in volume), name);
        }
      });

      it('have bounds, and images that a tag or a digest pins', () => {
        for (const { name, pod, container } of workloads) {
          const { limits = {}, requests = {} } = container.resources ?? {};
          assert.deepEqual(Object.keys(limits).toSorted(), ['cpu', 'memory'], name);
          assert.deepEqual(Object.keys(requests).toSorted(), ['cpu', 'memory'], name);
          assert.match(container.image ?? '', /^[\w./-]+(:(?!latest$)[\w.-]+|@sha256:[0-9a-f]{64})$/, name);
          for (const volume of pod.volumes ?? []) {
            if (volume.emptyDir !== undefined)
              assert.ok(volume.emptyDir.sizeLimit, `${name}: ${volume.name}`);
          }
        }
      });

      it('mount what they have, and have what they mount', () => {
        for (const { name, pod, container } of workloads) {
          if (DEMO_SERVERS.includes(name)) continue;
          const volumes = pod.volumes?.map((volume) => volume.name) ?? [];
          const mounted = container.volumeMounts?.map((mount) => mount.name) ?? [];
          assert.deepEqual(mounted.toSorted(), volumes.toSorted(), name);
          // A file that is mounted alone would not be updated when keys are rotated.
          assert.ok(container.volumeMounts?.every(({ subPath }) => subPath === undefined));
        }
      });

      it('have probes that do not fail for all of them at once', () => {
        for (const { name, container } of workloads.filter((one) => SERVICES.includes(one.name))) {
          const { livenessProbe, startupProbe, readinessProbe } = container;
          const live: HTTPGetAction = { path: '/health/live', port: 'internal' };
          assert.deepEqual([livenessProbe?.httpGet, startupProbe?.httpGet], [live, live], name);
          // Workers get no requests, so their readiness may depend on other servers.
          const expected = name.endsWith('-worker') ? '/health/ready' : name === 'core' ? '/ping' : undefined;
          assert.equal(readinessProbe?.httpGet?.path, expected, name);
          if (expected === undefined) assert.deepEqual(readinessProbe?.tcpSocket, { port: 'http' }, name);
        }
      });

      it('have as many threads and workers as they may use processors', () => {
        for (const { name, container } of workloads) {
          const counts = container.env?.filter((each) => COUNTS.includes(each.name)) ?? [];
          const expected = name === 'gateway' ? 'GATEWAY_WORKERS' : 'HASH_THREADS';
          const has = name === 'gateway' || ['core', 'portal', 'admin'].includes(name);
          const valueFrom = {
            resourceFieldRef: { containerName: name, resource: 'limits.cpu', divisor: '1' },
          };
          assert.deepEqual(counts, has ? [{ name: expected, valueFrom }] : [], name);
        }
      });

      it('have enough time to terminate', () => {
        for (const { name, pod, container } of workloads.filter((one) => SERVICES.includes(one.name))) {
          const [, sleep] = container.lifecycle?.preStop?.exec?.command ?? [];
          const drain = container.env?.find((each) => each.name === 'DRAIN_SECONDS')?.value ?? '0';
          // A process ends within ten seconds (docs/operations.md).
          const atMost = Number(sleep) + Number(drain) + 10;
          assert.ok((pod.terminationGracePeriodSeconds ?? 0) >= atMost, name);
        }
      });

      it('are spread over nodes, with disruption budgets', () => {
        const budgets = ofKind(manifestsOf(values), 'PodDisruptionBudget').map(
          ({ metadata }) => metadata.name,
        );
        for (const { name, manifest, pod, labels } of workloads) {
          if (manifest.kind === 'Job' || DEMO_SERVERS.includes(name)) continue;
          const keys = pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
          assert.deepEqual(keys, ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'], name);
          for (const { labelSelector } of pod.topologySpreadConstraints ?? []) {
            const selected = Object.entries(labelSelector?.matchLabels ?? {});
            assert.ok(selected.length > 0 && selected.every(([key, value]) => labels[key] === value), name);
          }
          const { replicas } = manifest.spec as { replicas?: number };
          assert.equal(budgets.includes(manifest.metadata.name), replicas !== 1, name);
        }
      });
    });
  }

  it('listen on the ports of the images', () => {
    const recipe = readPage('services/Dockerfile');
    assert.match(recipe, /\nENV .*HOST=:: PORT=8080 INTERNAL_HOST=:: INTERNAL_PORT=9080\n/);
    for (const { name, container } of workloadsOf(manifestsOf(VALUE_FILES[0] ?? ''))) {
      if (!SERVICES.includes(name)) continue;
      const ports = container.ports?.map(({ containerPort }) => containerPort);
      assert.deepEqual(ports, name.endsWith('-worker') ? [9080] : [8080, 9080], name);
    }
  });
});

const PRINT = fileURLToPath(new URL('deploy/kubernetes/secrets.sh', ROOT));
/** The files that `keys provide` writes (services/tools). */
const ISSUING = ['signing-keys.json', 'mail-public-key'];
const PORTAL = ['verification-keys.json', 'portal-secret', 'mail-public-key'];
const CORE = ['id-token-keys.json'];

describe('deploy/kubernetes/secrets.sh', () => {
  const path = useFolder();
  const print = (): string => {
    const folders = ['secrets', 'keys', 'portal-keys', 'core-keys'].map(path);
    return execFileSync('sh', [PRINT, ...folders], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };
  beforeEach(() => {
    makeSecrets(path('secrets'));
    for (const [name, files] of Object.entries({ keys: ISSUING, 'portal-keys': PORTAL, 'core-keys': CORE })) {
      mkdirSync(path(name));
      for (const file of files) writeFileSync(path(`${name}/${file}`), `${name} ${file}\n`);
    }
  });

  for (const [values, hasAll] of [
    ['ci/least.yaml', false],
    ['ci/monitoring.yaml', true],
    ['values-demo.yaml', false],
  ] as const) {
    it(`gives every pod the files that it reads, and no other, with ${values}`, () => {
      if (hasAll) {
        writeFileSync(path('secrets/otel-headers'), 'authorization=x\n');
        writeFileSync(path('secrets/https-proxy'), 'http://proxy.example.com:3128\n');
      }
      const secrets = readPrintedSecrets(print());
      for (const workload of workloadsOf(manifestsOf(`deploy/helm/gatehouse/${values}`))) {
        const { has, reads } = filesOf(workload, secrets);
        assert.deepEqual(has.toSorted(), reads.toSorted(), workload.name);
      }
    });
  }

  it('prints what is in the files', () => {
    const secrets = readPrintedSecrets(print());
    const decoded = (name: string, file: string) =>
      Buffer.from(secrets[name]?.[file] ?? '', 'base64').toString('utf8');
    for (const file of ['token-secret', 'password-pepper', 'first-admin-password'])
      assert.equal(decoded('gatehouse-admin', file), readFileSync(path(`secrets/${file}`), 'utf8'));
    assert.equal(decoded('gatehouse-portal-keys', 'portal-secret'), 'portal-keys portal-secret\n');
  });

  it('prints nothing when one is missing', () => {
    rmSync(path('keys/mail-public-key'));
    assert.throws(print, { status: 1, stdout: '', stderr: /keys\/mail-public-key is missing/ });
  });
});

describe('the installation in a kind cluster (.github/workflows/ci.yml)', () => {
  const { jobs } = parse(readPage('.github/workflows/ci.yml')) as {
    jobs: { kind: { steps: { name?: string; run?: string }[] } };
  };
  const runOf = (name: string): string => jobs.kind.steps.find((step) => step.name === name)?.run ?? '';

  it('creates the Secrets as docs/kubernetes.md does', () => {
    const told = readPage('docs/kubernetes.md')
      .split('\n')
      .map((line) => line.trim());
    const lines = runOf('Create the Secrets').trim().split('\n');
    assert.ok(lines.length > 5);
    const others = lines.filter((line) => !told.includes(line.trim()));
    assert.deepEqual(others, []);
  });
});

/** The files that Secrets mount into a container, and the files that its environment, arguments or server read. */
function filesOf({ name, pod, container }: Workload, secrets: Secrets): { has: string[]; reads: string[] } {
  const has = (container.volumeMounts ?? []).flatMap(({ name: volume, mountPath, subPath }) => {
    const source = pod.volumes?.find((one) => one.name === volume)?.secret?.secretName;
    if (source === undefined) return [];
    const files = Object.keys(secrets[source] ?? {});
    if (subPath !== undefined) return files.includes(subPath) ? [mountPath] : [];
    return files.map((file) => `${mountPath}/${file}`);
  });
  const words = [...(container.env ?? []).map(({ value = '' }) => value), ...(container.args ?? [])];
  const reads = words.filter((word) => /^\/(run\/secrets|keys|core-keys)\//.test(word));
  // RabbitMQ reads every file in this folder by itself.
  return { has, reads: name === 'rabbitmq' ? ['/etc/rabbitmq/conf.d/20-gatehouse.conf'] : reads };
}

/** Files in base64, by the Secret that holds them and their names. */
type Secrets = Record<string, Record<string, string>>;

function readPrintedSecrets(printed: string): Secrets {
  return Object.fromEntries(
    parseManifests(printed).map((manifest) => {
      assert.equal(manifest.kind, 'Secret');
      // The output of the script.
      return [manifest.metadata.name, (manifest as unknown as { data: Record<string, string> }).data];
    }),
  );
}

/** These are not part of Kubernetes itself. */
const CUSTOM = ['monitoring.coreos.com/v1', 'gateway.networking.k8s.io/v1'];
const OPTIONS = '--noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --ignoreConfig';

describe('the manifests of the chart', () => {
  let folder: string;
  // In a folder of the package, where the types can be resolved.
  before(
    () => (folder = mkdtempSync(fileURLToPath(new URL('../../node_modules/.manifests-', import.meta.url)))),
  );
  after(() => rmSync(folder, { recursive: true }));

  it('match the types of Kubernetes', () => {
    const all = [
      ...VALUE_FILES.flatMap(manifestsOf),
      ...parseManifests(readPage('deploy/kubernetes/gatehouse.yaml')),
    ].filter(({ apiVersion }) => !CUSTOM.includes(apiVersion));
    assert.ok(all.length > 100);
    assert.equal(faultsIn(all), '');
  });

  it('have unique names', () => {
    for (const values of VALUE_FILES) {
      const names = manifestsOf(values).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      assert.equal(new Set(names).size, names.length, values);
      for (const { metadata } of manifestsOf(values)) assert.match(metadata.name, /^[a-z0-9-]{1,63}$/);
    }
  });

  function faultsIn(manifests: Manifest[]): string {
    const lines = manifests.map(({ apiVersion, kind, ...rest }, at) => {
      const module = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '');
      const literal = JSON.stringify({ apiVersion, kind, ...rest });
      return `export const m${at}: import('kubernetes-types/${module}').${kind} = ${literal};\n`;
    });
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, lines.join(''));
    try {
      const tsc = fileURLToPath(new URL('node_modules/.bin/tsc', ROOT));
      return execFileSync(tsc, [...OPTIONS.split(' '), file], { encoding: 'utf8', cwd: folder });
    } catch (error) {
      // The process has ended with 1 or 2.
      return (error as { stdout: string }).stdout;
    }
  }
});
