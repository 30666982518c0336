import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { HTTPGetAction } from 'kubernetes-types/core/v1.d.ts';
import { ROOT, VALUE_FILES } from '@gatehouse/codegen';
import { DEMO_SERVERS, manifestsOf, ofKind, workloadsOf, type Workload } from './manifests.ts';

/** By default each of these is derived from the number of processors of the node. */
const COUNTS = ['HASH_THREADS', 'GATEWAY_WORKERS'];
const SERVICES = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker'];

describe('the pods of the chart', function () {
  this.timeout(30_000);

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
          assert.deepEqual(
            container.securityContext,
            {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            name,
          );
          for (const forbidden of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers']) {
            assert.ok(!(forbidden in pod), `${name}: ${forbidden}`);
          }
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
    const recipe = readFileSync(new URL('services/Dockerfile', ROOT), 'utf8');
    assert.match(recipe, /\nENV .*HOST=:: PORT=8080 INTERNAL_HOST=:: INTERNAL_PORT=9080\n/);
    for (const { name, container } of workloadsOf(manifestsOf(VALUE_FILES[0] ?? ''))) {
      if (!SERVICES.includes(name)) continue;
      const ports = container.ports?.map(({ containerPort }) => containerPort);
      assert.deepEqual(ports, name.endsWith('-worker') ? [9080] : [8080, 9080], name);
    }
  });
});
