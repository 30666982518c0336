import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { connectDb, query } from '@gatehouse/db';
import { eventually, testServers } from '@gatehouse/runtime/testing';
import {
  createPrivateFolder,
  privatePostgres,
  type PrivateFolder,
  type PrivatePostgres,
} from '@gatehouse/stack';
import { client, PASSWORD, type Client } from '../../testing/index.ts';
import { manifestsOf, workloadsOf, type Manifest } from '../manifests.ts';
import { gatewayContainer, programContainer } from './containers.ts';
import { writeContainerFiles } from './file-system.ts';
import { localPods, localized, portOf, type LocalPod } from './local-cluster.ts';
import { makeSecrets } from './make-secrets.ts';
import { passes } from './probes.ts';

const ADMIN = 'admin@example.com';
/** What an operator gives to the chart (docs/kubernetes.md). Connections between pods come from 127.0.0.1 here. */
const VALUES = {
  issuer: 'https://auth.example.com',
  adminUrl: 'https://admin.example.com',
  mailFrom: 'Accounts <no-reply@example.com>',
  podRanges: ['127.0.0.1/32'],
  admin: { settings: { FIRST_ADMIN_EMAIL: ADMIN } },
};

describe('an installation by the chart, its pods as processes of this machine', function () {
  this.timeout(60_000);
  let database: PrivatePostgres;
  let place: PrivateFolder;
  let manifests: Manifest[];
  let pods: LocalPod[];
  let node: string;
  let started: ReturnType<PrivateFolder['supervisor']['processes']>;
  const inPod = (pod: LocalPod) => (value: string) => localized(value, pod, pods, manifests);

  before(async () => {
    place = createPrivateFolder('kubernetes');
    mkdirSync(join(place.directory, 'pods'));
    database = await privatePostgres();
    const { host: postgres } = new URL(database.url);
    const { TEST_REDIS_URL, TEST_AMQP_URL, TEST_SMTP_URL } = testServers();
    const secrets = makeSecrets(join(place.directory, 'secrets'), {
      postgres,
      files: {
        'redis-url': TEST_REDIS_URL,
        'amqp-url': TEST_AMQP_URL,
        'smtp-url': TEST_SMTP_URL,
        'first-admin-password': PASSWORD,
      },
    });
    await createOwner(
      database.url,
      readFileSync(join(place.directory, 'secrets/owner-database-url'), 'utf8'),
    );
    const values = join(place.directory, 'values.json');
    writeFileSync(values, JSON.stringify(VALUES));
    manifests = manifestsOf(values);
    pods = localPods(workloadsOf(manifests), join(place.directory, 'pods'));
    for (const pod of pods) writeContainerFiles(pod, secrets);
    // The users of pods may not reach the one that runs this.
    node = join(place.directory, 'node');
    copyFileSync(process.execPath, node);
  });
  after(async () => {
    // Its folders could not be removed otherwise.
    execFileSync('chmod', ['-R', 'u+w', join(place.directory, 'pods')]);
    await place.stop();
    await database.stop();
  });

  it('migrates with the Job that runs before anything else', () => {
    const hooks = pods.filter(({ workload: { manifest } }) =>
      manifest.metadata.annotations?.['helm.sh/hook']?.startsWith('pre-install'),
    );
    assert.deepEqual(
      hooks.map(({ workload }) => workload.name),
      ['migrate'],
    );
    for (const pod of hooks) {
      const { command, args, env, cwd, user } = programContainer(pod, node, inPod(pod));
      const { status, stderr } = spawnSync(command, args, { env, cwd, ...user, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    }
  });

  it('starts every Deployment, all of whose probes pass', async () => {
    const deployments = pods.filter(({ workload }) => workload.manifest.kind === 'Deployment');
    assert.deepEqual(
      deployments.map(({ workload }) => workload.name),
      ['core', 'portal', 'admin', 'mail-worker', 'gateway'],
    );
    await Promise.all(
      deployments.map((pod) => {
        const { name, container } = pod.workload;
        const { startupProbe, livenessProbe, readinessProbe } = container;
        assert.ok(livenessProbe && readinessProbe);
        const { periodSeconds = 10, failureThreshold = 3 } = startupProbe ?? livenessProbe;
        return place.supervisor.start({
          name,
          ...(name === 'gateway'
            ? gatewayContainer(pod, inPod(pod))
            : programContainer(pod, node, inPod(pod))),
          isReady: async () => {
            const probes = [startupProbe ?? livenessProbe, livenessProbe, readinessProbe];
            for (const probe of probes) if (!(await passes(pod, probe))) return false;
            return true;
          },
          readySeconds: periodSeconds * failureThreshold,
          stopSignal: 'SIGTERM',
          abortSignal: 'SIGKILL',
        });
      }),
    );
    started = place.supervisor.processes();
  });

  describe('through its gateway', () => {
    let user: Client;
    let admin: Client;
    const urlOf = (service: string): string =>
      `http://${localized(service, pods[0] as LocalPod, pods, manifests)}`; // there are six

    before(() => {
      const mailUrl = testServers().TEST_MAIL_URL;
      user = client({ facts: { baseUrl: urlOf('gatehouse-gateway:8080'), mailUrl } });
      admin = client({ facts: { baseUrl: urlOf('gatehouse-gateway:8090'), mailUrl } });
    });

    it('serves accounts, their sessions and mails', async () => {
      const email = await user.newAccount();
      const { Token, RefreshToken } = await user.login(email);
      assert.equal(await user.pingStatus(Token), 1);
      assert.equal((await user.post('/account/refresh-token', { RefreshToken })).status, 200);
      assert.equal((await user.call('GET', '/account/profile', undefined, Token)).status, 200);
      assert.equal((await user.call('GET', '/.well-known/jwks.json')).status, 200);
    });

    it('serves the first administrator, at the address for administrators only', async () => {
      const log = join(place.logs, 'admin.log');
      await eventually(() => readFileSync(log, 'utf8').includes('first administrator created'));
      const { Token } = await user.login(ADMIN);
      const { status, body } = await admin.call('GET', '/admin/account?limit=1', undefined, Token);
      assert.deepEqual([status, Array.isArray(body['Items'])], [200, true]);
      assert.equal((await user.call('GET', '/admin/account', undefined, Token)).status, 404);
    });

    it('forwards the addresses of clients to the services, which trust only the gateway', async () => {
      for (const [service, from] of [
        ['gatehouse-gateway:8080', '127.0.0.9'],
        ['gatehouse-core:8080', '127.0.0.8'],
      ] as const) {
        const token = await logInFrom(from, '192.0.2.1', urlOf(service));
        const { body } = await user.call('GET', '/account/session', undefined, token);
        const addresses = (body['Items'] as { IpAddress: string }[]).map(({ IpAddress }) => IpAddress);
        assert.deepEqual(addresses, [from], service);
      }
    });
  });

  it('gives Prometheus the metrics of each of its services', async () => {
    const scraped = pods.filter(({ workload: { labels } }) => labels['gatehouse/metrics'] === 'true');
    for (const pod of scraped) {
      const response = await fetch(`http://${pod.address}:${portOf(pod, 'internal')}/metrics`);
      assert.match(await response.text(), new RegExp(`service="${pod.workload.name}"`));
    }
    assert.equal(scraped.length, 4);
  });

  it('has no pod that ended meanwhile, or took more memory than its limit', () => {
    assert.deepEqual(place.supervisor.processes(), started);
    for (const { name, pid } of started) {
      const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      const { container } = pods.find(({ workload }) => workload.name === name)?.workload ?? {};
      const mib = /^(\d+)Mi$/.exec(String(container?.resources?.limits?.['memory']))?.[1];
      assert.ok(Number(kib) / 1024 < Number(mib), `${name}: ${kib} KiB of ${mib} MiB`);
    }
  });
});

/** The owner of the database, who may create the roles of the services (docs/least-privilege.md). */
async function createOwner(superuserUrl: string, ownerUrl: string): Promise<void> {
  const { username, password, pathname } = new URL(ownerUrl.trim());
  const db = connectDb({ url: superuserUrl, applicationName: 'test', poolMax: 1 });
  try {
    // The password is hexadecimal; neither statement takes parameters.
    await query(db, `create role ${username} login createrole password '${password}'`);
    await query(db, `create database ${pathname.slice(1)} owner ${username}`);
  } finally {
    await db.destroy();
  }
}

/** A login from one of this machine's addresses that claims to come from another, and its token. */
function logInFrom(localAddress: string, claimed: string, url: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': claimed };
  return new Promise((resolve, reject) => {
    request(`${url}/account/login`, { method: 'POST', localAddress, headers, agent: false }, (response) => {
      response.toArray().then((chunks) => {
        const { Token } = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as { Token: string };
        resolve(Token);
      }, reject);
    })
      .on('error', reject)
      .end(JSON.stringify({ Username: ADMIN, Password: PASSWORD }));
  });
}
