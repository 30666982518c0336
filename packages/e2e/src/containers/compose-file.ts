import assert from 'node:assert/strict';
import { COMPONENTS, isSecret } from '@gatehouse/codegen';
import { parse } from 'yaml';
import { readPage } from '../documents/documents.ts';

export interface ComposeService {
  image: string;
  build?: { dockerfile: string; args: Record<string, string> };
  user?: string;
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  pids_limit?: number;
  mem_limit?: string;
  cpus?: string | number;
  stop_grace_period?: string;
  logging?: { options?: Record<string, string> };
  networks?: unknown;
  network_mode?: string;
  ports?: string[];
  volumes?: string[];
  secrets?: (string | { source: string; target: string })[];
  environment?: Record<string, string>;
}

interface ComposeNetwork {
  internal?: boolean;
  ipam?: { config: { ip_range?: string; gateway?: string }[] };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, ComposeNetwork | null>;
  secrets: Record<string, { file: string }>;
  /** Every variable in the file with its default, or with all its defaults if they differ. */
  variables: Map<string, string>;
}

/** docker-compose.yml as Compose reads it if only required variables are set, each to `required`. */
export function readComposeFile(): ComposeFile {
  const { filled, variables } = fillIn(readPage('docker-compose.yml'));
  // The tests check the contents; Compose itself checks the schema.
  const file = parse(filled, { merge: true }) as Omit<ComposeFile, 'variables'>;
  return { ...file, variables };
}

/** The settings of a service, by its name in Compose and in Kubernetes. */
export const settingsOf = (name: string) => COMPONENTS[name.replace('-worker', 'Worker')];

/** Fails unless a service gets its own settings (or `others`) alone, secrets only as files, and with `others` all it needs. */
export function assertEnvironment(name: string, given: readonly string[], others: readonly string[] = []) {
  const { properties, required = [] } = settingsOf(name) ?? assert.fail(name);
  const settings = given.map((each) => (each in properties ? each : each.replace(/_FILE$/, '')));
  const unknown = settings.filter((each) => !(each in properties) && !others.includes(each));
  const secrets = given.filter((each) => isSecret(properties[each]));
  const missing = required.filter(
    (each) => !('default' in (properties[each] ?? {})) && ![...settings, ...others].includes(each),
  );
  assert.deepEqual({ unknown, secrets, missing }, { unknown: [], secrets: [], missing: [] }, name);
}

/** Inserts the defaults from the inside out, because a default may contain other variables. `$$` stays. */
function fillIn(text: string): { filled: string; variables: Map<string, string> } {
  const defaults = new Map<string, Set<string>>();
  let filled = text;
  for (let before = ''; before !== filled;) {
    before = filled;
    filled = filled.replaceAll(
      VARIABLE,
      (_, name: string, kind: string | undefined, given: string | undefined) => {
        const standard = kind === '?' ? 'required' : (given ?? '');
        defaults.set(name, (defaults.get(name) ?? new Set()).add(standard));
        return standard;
      },
    );
  }
  const variables = [...defaults].map(([name, values]) => [name, [...values].join(', ')] as const);
  return { filled, variables: new Map(variables) };
}

const VARIABLE = /(?<!\$)\$\{([A-Z_]+)(?::([-?])([^${}]*))?\}/g;
