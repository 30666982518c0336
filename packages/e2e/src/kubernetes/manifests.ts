import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import { parseAllDocuments } from 'yaml';
import { CHART, helm } from '@gatehouse/codegen';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: unknown;
}

export type Workload = ReturnType<typeof workloadsOf>[number];

const rendered = new Map<string, Manifest[]>();

export function manifestsOf(values: string): Manifest[] {
  const known = rendered.get(values);
  if (known !== undefined) return known;
  const manifests = parseManifests(helm('template', 'gatehouse', CHART, '--values', values));
  rendered.set(values, manifests);
  return manifests;
}

export function parseManifests(text: string): Manifest[] {
  // Kubernetes reads YAML 1.1. With this version the same texts become numbers and booleans here.
  const documents = parseAllDocuments(text, { version: '1.1' });
  return documents.map((document) => document.toJS() as Manifest | null).filter((one) => one !== null);
}

/** Each with its pod, and the name of its component, for example `mail-worker`. */
export function workloadsOf(manifests: Manifest[]) {
  return manifests.flatMap((manifest) => {
    if (manifest.kind !== 'Deployment' && manifest.kind !== 'Job') return [];
    // Safe because of its kind; pods.test.ts checks this.
    const template = (manifest as Deployment | Job).spec?.template;
    const [container, ...more] = template?.spec?.containers ?? [];
    if (template?.spec === undefined || container === undefined || more.length > 0)
      throw new Error(`${manifest.metadata.name} has not one container`);
    const labels = template.metadata?.labels ?? {};
    const name = labels['app.kubernetes.io/component'] ?? '';
    return [{ name, manifest, pod: template.spec, labels, container }];
  });
}

/** The servers of the demo, which are not ours. */
export const DEMO_SERVERS = ['postgres', 'redis', 'rabbitmq', 'inbox'];

export function ofKind(manifests: Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}
