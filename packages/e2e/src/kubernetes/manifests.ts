import { readdirSync, readFileSync } from 'node:fs';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Container, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { parseAllDocuments } from 'yaml';
import { CHART, ROOT } from './chart-files.ts';
import { helm } from './helm.ts';

/** Values that the chart is held to: those of `ci`, and those for a try. */
export const VALUE_FILES = [
  ...readdirSync(new URL(`${CHART}/ci/`, ROOT)).map((name) => `${CHART}/ci/${name}`),
  `${CHART}/values-demo.yaml`,
];

/** An object of Kubernetes, of which kind whatsoever. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: unknown;
}

/** A container of ours with what stands around it. */
export interface Workload {
  /** The component, as `mail-worker`. */
  name: string;
  manifest: Manifest;
  pod: PodSpec;
  labels: Record<string, string>;
  container: Container;
}

const rendered = new Map<string, Manifest[]>();

/** What Helm makes of the chart with a file of values. */
export function manifestsOf(values: string): Manifest[] {
  const known = rendered.get(values);
  if (known !== undefined) return known;
  const manifests = parseManifests(helm('template', 'gatehouse', CHART, '--values', values));
  rendered.set(values, manifests);
  return manifests;
}

export function parseManifests(text: string): Manifest[] {
  // Kubernetes reads YAML 1.1; what it would take for numbers and flags is the same here.
  const documents = parseAllDocuments(text, { version: '1.1' });
  return documents.map((document) => document.toJS() as Manifest | null).filter((one) => one !== null);
}

export function readManifests(path: string): Manifest[] {
  return parseManifests(readFileSync(new URL(path, ROOT), 'utf8'));
}

/** Every Deployment and Job, each with its only container. */
export function workloadsOf(manifests: Manifest[]): Workload[] {
  return manifests.flatMap((manifest) => {
    if (manifest.kind !== 'Deployment' && manifest.kind !== 'Job') return [];
    // Their kind says what they are; manifest-types.test.ts holds them to it.
    const template = (manifest as Deployment | Job).spec?.template;
    const [container, ...more] = template?.spec?.containers ?? [];
    if (template?.spec === undefined || container === undefined || more.length > 0) {
      throw new Error(`${manifest.metadata.name} has not one container`);
    }
    const labels = template.metadata?.labels ?? {};
    const name = labels['app.kubernetes.io/component'] ?? '';
    return [{ name, manifest, pod: template.spec, labels, container }];
  });
}

/** The servers of a try, which are not ours. */
export const DEMO_SERVERS = ['postgres', 'redis', 'rabbitmq', 'inbox'];

/** The manifests of one kind. */
export function ofKind(manifests: Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}
