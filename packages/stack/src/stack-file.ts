import { renameSync, writeFileSync } from 'node:fs';
import type { Ports } from './ports.ts';
import type { Credentials, Seeded } from './seed.ts';
import type { Servers } from './servers.ts';

/** What scripts and tests need to know of a running stack (`.local/stack.json`). */
export interface StackFile {
  /** Core and Portal behind the gateway. */
  baseUrl: string;
  adminUrl: string;
  /** The mail inbox; REST at `/email`. */
  mailUrl: string;
  /** The services without the gateway. */
  urls: { core: string; portal: string; admin: string };
  databaseUrl: string;
  redisUrl: string;
  amqpUrl: string;
  smtpUrl: string;
  logs: string[];
  admin: Credentials;
  /** The first user and the live channel that they own. */
  seed: { user: Credentials; contentDefinitionId: string };
  /** Process ids; a server that the stack did not start has none. */
  pids: Record<string, number>;
}

/** The names of the parts as `pids` has them. */
const PID_NAMES: Record<string, string> = { 'mail-worker': 'mailWorker' };

/** Puts together what is known of a stack. */
export function describeStack(options: {
  ports: Ports;
  servers: Servers;
  databaseUrl: string;
  seeded: Seeded;
  /** The parts that run, each with its process id and log. */
  parts: { name: string; pid: number; log: string }[];
}): StackFile {
  const { ports, servers, databaseUrl, seeded, parts } = options;
  const local = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    baseUrl: local(ports.gateway),
    adminUrl: local(ports.adminGateway),
    mailUrl: servers.mailUrl,
    urls: { core: local(ports.core), portal: local(ports.portal), admin: local(ports.admin) },
    databaseUrl,
    redisUrl: servers.redisUrl,
    amqpUrl: servers.amqpUrl,
    smtpUrl: servers.smtpUrl,
    logs: parts.map(({ log }) => log),
    admin: seeded.admin,
    seed: { user: seeded.user, contentDefinitionId: seeded.contentDefinitionId },
    pids: Object.fromEntries(parts.map(({ name, pid }) => [PID_NAMES[name] ?? name, pid])),
  };
}

/** Writes it for its owner alone; replaced whole, so that no reader sees half of it. */
export function writeStackFile(file: string, content: StackFile): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
