import assert from 'node:assert/strict';
import type { Ingress } from 'kubernetes-types/networking/v1.d.ts';
import { VALUE_FILES } from '@gatehouse/codegen';
import { manifestsOf, ofKind, type Manifest } from './manifests.ts';

const CI = 'deploy/helm/gatehouse/ci';

interface HttpRoute {
  hostnames: string[];
  parentRefs: object[];
  rules: { backendRefs: { name: string; port: number }[] }[];
}

describe('external access to the chart’s gateway', function () {
  this.timeout(30_000);

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
    assert.deepEqual(
      routes.map(({ spec }) => spec as HttpRoute),
      [
        {
          parentRefs: [{ name: 'shared', namespace: 'gateways', sectionName: 'https' }],
          hostnames: ['auth.example.com'],
          rules: [{ backendRefs: [{ name: 'gatehouse-gateway', port: 8080 }] }],
        },
      ],
    );
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
  // Safe because of its kind; manifest-types.test.ts checks this.
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
