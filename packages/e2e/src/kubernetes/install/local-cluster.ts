import type { Service } from 'kubernetes-types/core/v1.d.ts';
import { ofKind, type Manifest, type Workload } from '../manifests.ts';

/** A pod as processes of this machine: one container, with an address and a folder of its own. */
export interface LocalPod {
  workload: Workload;
  /** Of its own, from 127.0.0.0/8, so that ports are those of the manifest. */
  address: string;
  /** Stands for the root of its file system. */
  root: string;
}

/** One pod of each Deployment and Job. */
export function localPods(workloads: Workload[], folder: string): LocalPod[] {
  // Other runs on this machine have other addresses.
  const network = `127.${64 + (process.pid % 128)}.${(process.pid >> 7) % 256}`;
  return workloads.map((workload, index) => ({
    workload,
    address: `${network}.${index + 1}`,
    root: `${folder}/${workload.name}`,
  }));
}

/**
 * A value as its pod would find it in a cluster. This is all that differs from what the manifest says: a pod listens on its
 * own address instead of on all that it has, a Service is the address of a pod that it selects, and mounts are below the
 * folder of the pod.
 */
export function localized(value: string, pod: LocalPod, pods: LocalPod[], manifests: Manifest[]): string {
  const mount = pod.workload.container.volumeMounts?.find(
    ({ mountPath }) => value === mountPath || value.startsWith(`${mountPath}/`),
  );
  if (mount !== undefined) return `${pod.root}${value}`;
  return value
    .replaceAll('0.0.0.0', pod.address)
    .replaceAll(/\b([a-z][a-z-]*):(\d+)/g, (address, name: string, port: string) => {
      const service = ofKind(manifests, 'Service').find(({ metadata }) => metadata.name === name);
      return service === undefined ? address : addressOf(service, Number(port), pods);
    });
}

/** Where a port of a Service leads. */
function addressOf({ metadata, spec }: Manifest, port: number, pods: LocalPod[]): string {
  const { selector = {}, ports = [] } = (spec ?? {}) as Service['spec'] & object; // by its kind
  const pod = pods.find(({ workload: { labels } }) =>
    Object.entries(selector).every(([label, value]) => labels[label] === value),
  );
  const target = ports.find((one) => one.port === port)?.targetPort;
  if (pod === undefined || target === undefined) throw new Error(`${metadata.name}:${port} leads nowhere`);
  return `${pod.address}:${portOf(pod, target)}`;
}

/** @throws where no port of the container has this name. */
export function portOf({ workload: { name, container } }: LocalPod, port: string | number): number {
  const found = container.ports?.find((one) => one.name === port || one.containerPort === port);
  if (found === undefined) throw new Error(`${name} has no port ${port}`);
  return found.containerPort;
}
