import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../chart-files.ts';
import type { Secrets } from '../printed-secrets.ts';
import type { LocalPod } from './local-cluster.ts';

const isRoot = process.getuid?.() === 0;

/** The user of a pod; without root's rights everything runs as whoever runs the tests. */
export function userOf({ workload: { pod } }: LocalPod): { uid: number; gid: number } | undefined {
  const { runAsUser, runAsGroup } = pod.securityContext ?? {};
  if (runAsUser === undefined || runAsGroup === undefined) throw new Error('a pod without a user');
  return isRoot ? { uid: runAsUser, gid: runAsGroup } : undefined;
}

/**
 * Lays out what a container finds: the program at `/app`, Secrets and empty folders where the manifest mounts them. As with a
 * read-only root, the user of the pod can write to those empty folders alone.
 */
export function writeContainerFiles(pod: LocalPod, secrets: Secrets): void {
  const { workload, root } = pod;
  const { container, pod: spec } = workload;
  const program = container.image?.split('/').at(-1)?.split(/[:@]/)[0] ?? '';
  mkdirSync(join(root, 'app/dist'), { recursive: true });
  if (program !== 'gateway') {
    cpSync(new URL(`dist/${program}`, ROOT), join(root, 'app/dist/service'), { recursive: true });
  }
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const { secret, emptyDir } = spec.volumes?.find((volume) => volume.name === name) ?? {};
    const folder = `${root}${mountPath}`;
    mkdirSync(folder, { recursive: true });
    if (secret !== undefined) {
      for (const [file, text] of Object.entries(secrets[secret.secretName ?? ''] ?? {})) {
        writeFileSync(join(folder, file), Buffer.from(text, 'base64'));
        give(join(folder, file), pod, secret.defaultMode ?? 0o644);
      }
    } else if (emptyDir === undefined) throw new Error(`${workload.name}: what is ${name}?`);
  }
  execFileSync('chmod', ['-R', 'a-w,a+X', root]);
  execFileSync('chmod', ['-R', 'a+r', join(root, 'app')]);
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const isEmpty = spec.volumes?.some((volume) => volume.name === name && volume.emptyDir !== undefined);
    if (isEmpty === true) give(`${root}${mountPath}`, pod, 0o770);
  }
}

/** Writes a file where the container itself would. */
export function writeAs(pod: LocalPod, file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  give(file, pod, 0o640);
}

/** To the group of the pod (`fsGroup`). */
function give(path: string, pod: LocalPod, mode: number): void {
  if (isRoot) chownSync(path, 0, pod.workload.pod.securityContext?.fsGroup ?? 0);
  chmodSync(path, mode);
}
