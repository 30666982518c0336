import { join } from 'node:path';
import { nodeArguments, ROOT } from './node-process.ts';
import type { Part } from './part.ts';
import type { Ports } from './ports.ts';
import { answersHttp } from './probes.ts';
import type { Secrets } from './secrets.ts';

/** Where the services find each other and the servers. */
export interface Addresses {
  baseUrl: string;
  databaseUrl: string;
  redisUrl: string;
  amqpUrl: string;
  smtpUrl: string;
}

/** The services in the order of their start. */
export function services(options: {
  settings: NodeJS.ProcessEnv;
  secrets: Secrets;
  ports: Ports;
  addresses: Addresses;
}): Part[] {
  const { ports } = options;
  return [
    service('core', { ...options, port: ports.core, internalPort: ports.coreInternal }),
    service('portal', { ...options, port: ports.portal, internalPort: ports.portalInternal }),
    service('admin', { ...options, port: ports.admin, internalPort: ports.adminInternal }),
    service('mail-worker', { ...options, internalPort: ports.mailWorkerInternal }),
  ];
}

function service(
  name: string,
  options: {
    settings: NodeJS.ProcessEnv;
    secrets: Secrets;
    addresses: Addresses;
    port?: number;
    internalPort: number;
  },
): Part {
  const { settings, secrets, addresses, port, internalPort } = options;
  return {
    name,
    command: process.execPath,
    args: nodeArguments(join(ROOT, `services/${name}/src/main.ts`)),
    env: environment(settings, defaults(addresses.baseUrl, secrets), {
      HOST: '127.0.0.1',
      ...(port === undefined ? {} : { PORT: String(port) }),
      INTERNAL_HOST: '127.0.0.1',
      INTERNAL_PORT: String(internalPort),
      DATABASE_URL: addresses.databaseUrl,
      REDIS_URL: addresses.redisUrl,
      AMQP_URL: addresses.amqpUrl,
      SMTP_URL: addresses.smtpUrl,
    }),
    cwd: ROOT,
    isReady: () => answersHttp(`http://127.0.0.1:${internalPort}/health/ready`, 200),
    readySeconds: 60,
    stopSignal: 'SIGTERM',
    abortSignal: 'SIGKILL',
  };
}

/** What a local stack sets unless the caller's environment says otherwise. */
function defaults(baseUrl: string, secrets: Secrets): Record<string, string> {
  return {
    ISSUER: baseUrl,
    PUBLIC_URL: baseUrl,
    TRUST_PROXY: '127.0.0.1',
    MAIL_FROM: 'Gatehouse <no-reply@localhost>',
    TOKEN_SECRET_FILE: secrets.file('token-secret'),
    PASSWORD_PEPPER_FILE: secrets.file('password-pepper'),
    TWO_FACTOR_KEY_FILE: secrets.file('two-factor-key'),
    MAIL_KEY_FILE: secrets.file('mail-key'),
    SIGNING_KEYS_FILE: secrets.path(SIGNING_KEYS),
  };
}

export const SIGNING_KEYS = 'signing-keys.json';

/**
 * The caller's settings between what they override and what overrides them. `NAME` and `NAME_FILE` are one
 * setting in two spellings: the one that wins removes the other.
 */
export function environment(
  settings: NodeJS.ProcessEnv,
  standard: Record<string, string>,
  fixed: Record<string, string>,
): NodeJS.ProcessEnv {
  let result: NodeJS.ProcessEnv = {};
  for (const layer of [standard, settings, fixed]) {
    const given = Object.entries(layer).filter(([, value]) => value !== undefined && value !== '');
    const others = new Set(given.map(([name]) => otherSpelling(name)));
    const kept = Object.entries(result).filter(([name]) => !others.has(name));
    result = Object.fromEntries([...kept, ...given]);
  }
  return result;
}

function otherSpelling(name: string): string {
  return name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
}
