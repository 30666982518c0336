import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinaries, type ManagedProcess } from '@gatehouse/stack';
import { ROOT } from '../chart-files.ts';
import { userOf, writeAs } from './file-system.ts';
import { imageOf } from './images.ts';
import type { LocalPod } from './local-cluster.ts';

/** How a container's process is started. */
export type Container = Pick<ManagedProcess, 'command' | 'args' | 'env' | 'cwd' | 'user'>;

/** Makes a value what the pod would find in a cluster (`localized`). */
type Localize = (value: string) => string;

/** A container of one of our programs, with the Node that is copied to `node`. */
export function programContainer(pod: LocalPod, node: string, localize: Localize): Container {
  const image = imageOf('services/Dockerfile');
  const [command, ...args] = [...image.command, ...(pod.workload.container.args ?? [])];
  if (command !== 'node') throw new Error(`${command} is not Node`);
  return {
    command: node,
    args,
    env: environmentOf(pod, image.env, localize),
    cwd: `${pod.root}${image.workdir}`,
    user: userOf(pod),
  };
}

/** The gateway's, whose templates are filled in as the image of nginx does it. */
export function gatewayContainer(pod: LocalPod, localize: Localize): Container {
  const image = imageOf('services/gateway/Dockerfile');
  const env = environmentOf(pod, image.env, localize);
  const ranges = new URL('services/gateway/15-trusted-proxies.envsh', ROOT).pathname;
  const script = `. "${ranges}" && printf %s "$GATEWAY_REAL_IP"`;
  env['GATEWAY_REAL_IP'] = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' });
  for (const [source, target] of image.copies) {
    const name = /^\/etc\/nginx\/templates\/(.+)\.template$/.exec(target)?.[1];
    if (name === undefined) continue;
    const text = readFileSync(new URL(source, ROOT), 'utf8');
    writeAs(pod, join(env['NGINX_ENVSUBST_OUTPUT_DIR'] ?? '', name), filledIn(text, env));
  }
  const [command, ...args] = image.command.map((word) => localize(word));
  return {
    command: findBinaries().nginx ?? command ?? '',
    // Until it has read its configuration it logs where it was built to.
    args: [...args, '-e', 'stderr'],
    env,
    cwd: pod.root,
    user: userOf(pod),
  };
}

/** As `envsubst` of the image: names that are no variables stay as they are. */
function filledIn(template: string, env: Record<string, string>): string {
  const filter = new RegExp(env['NGINX_ENVSUBST_FILTER'] ?? '');
  return template.replaceAll(/\$\{(\w+)\}/g, (written, name: string) =>
    filter.test(name) ? (env[name] ?? written) : written,
  );
}

/** All that a container has in its environment: what its image and its manifest say, and nothing of ours. */
function environmentOf(
  { workload: { container } }: LocalPod,
  image: Record<string, string>,
  localize: Localize,
): Record<string, string> {
  const given = (container.env ?? []).map(({ name, value, valueFrom }): [string, string] => {
    const [kind, bound] = valueFrom?.resourceFieldRef?.resource.split('.') ?? [];
    if (kind === undefined) return [name, value ?? ''];
    return [name, String(container.resources?.[kind as 'limits']?.[bound ?? ''])]; // limits are all that is asked for
  });
  const all = { ...image, ...Object.fromEntries(given) };
  const here = Object.entries(all).map(([name, value]): [string, string] => [name, localize(value)]);
  return { PATH: '/usr/local/bin:/usr/bin:/bin', ...Object.fromEntries(here) };
}
