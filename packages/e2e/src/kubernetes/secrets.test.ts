import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '@gatehouse/codegen';
import { makeSecrets } from '../../../../services/tools/src/secrets.ts';
import { manifestsOf, parseManifests, workloadsOf, type Workload } from './manifests.ts';

const PRINT = fileURLToPath(new URL('deploy/kubernetes/secrets.sh', ROOT));
/** The files that `keys provide` writes (services/tools). */
const ISSUING = ['signing-keys.json', 'mail-public-key'];
const PORTAL = ['verification-keys.json', 'portal-secret', 'mail-public-key'];
const CORE = ['id-token-keys.json'];

describe('deploy/kubernetes/secrets.sh', function () {
  this.timeout(30_000);
  let folder: string;
  const print = (): string =>
    execFileSync(
      'sh',
      [PRINT, ...['secrets', 'keys', 'portal-keys', 'core-keys'].map((name) => join(folder, name))],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubernetes-secrets-'));
    makeSecrets(join(folder, 'secrets'));
    for (const [name, files] of Object.entries({ keys: ISSUING, 'portal-keys': PORTAL, 'core-keys': CORE })) {
      mkdirSync(join(folder, name));
      for (const file of files) writeFileSync(join(folder, name, file), `${name} ${file}\n`);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const [values, hasAll] of [
    ['ci/least.yaml', false],
    ['ci/monitoring.yaml', true],
    ['values-demo.yaml', false],
  ] as const) {
    it(`gives every pod the files that it reads, and no other, with ${values}`, () => {
      if (hasAll) {
        writeFileSync(join(folder, 'secrets/otel-headers'), 'authorization=x\n');
        writeFileSync(join(folder, 'secrets/https-proxy'), 'http://proxy.example.com:3128\n');
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
    for (const file of ['token-secret', 'password-pepper', 'first-admin-password']) {
      assert.equal(decoded('gatehouse-admin', file), readFileSync(join(folder, 'secrets', file), 'utf8'));
    }
    assert.equal(decoded('gatehouse-portal-keys', 'portal-secret'), 'portal-keys portal-secret\n');
  });

  it('prints nothing when one is missing', () => {
    rmSync(join(folder, 'keys/mail-public-key'));
    assert.throws(print, { status: 1, stdout: '', stderr: /keys\/mail-public-key is missing/ });
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

/** The Secrets that deploy/kubernetes/secrets.sh prints. */
function readPrintedSecrets(printed: string): Secrets {
  return Object.fromEntries(
    parseManifests(printed).map((manifest) => {
      assert.equal(manifest.kind, 'Secret');
      // The output of the script.
      return [manifest.metadata.name, (manifest as unknown as { data: Record<string, string> }).data];
    }),
  );
}
