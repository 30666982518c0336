import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startStack, type Servers, type Stack } from '@gatehouse/stack';
import { coreTargets, type CoreTargets } from './core-targets.ts';
import { startMailSink, type MailSink } from './mail-sink.ts';
import { addUsers, logIn, type User } from './users.ts';

/** `npm test` clears away what is called so and was left by a process that was killed. */
const FOLDER = 'gatehouse-test-bench-';

/** The real system with throw-away servers, its users, and a sink for its mails. */
export interface System {
  stack: Stack;
  databaseUrl: string;
  mails: MailSink;
  /** What its mails are sealed with. */
  mailKey: string;
  /** What Core is asked; the refresh tokens among it are those of the latest answers. */
  core: CoreTargets;
  /** Logged in: an account has only one session, so another login ends this one. */
  users: User[];
  /** Not logged in, with the same password. */
  others: string[];
  /** Where a service tells its metrics. */
  metricsUrls: { core: string; portal: string; admin: string };
  stop(): Promise<void>;
}

export interface SystemOptions {
  signal: AbortSignal;
  bcryptCost: number;
  /** How passwords are hashed: `bcrypt` if not given. */
  passwordHash?: 'bcrypt' | 'argon2id';
  /** As many as there are cores if not given. */
  hashThreads?: number;
  /** How many are logged in. */
  users: number;
  others?: number;
  scale?: number;
  /** Servers that run already. */
  servers?: Servers;
}

/** Starts it; its services are asked without the gateway. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { signal, scale = 1, bcryptCost, passwordHash = 'bcrypt', hashThreads = 0, servers } = options;
  const undo: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), FOLDER));
    undo.push(() => rmSync(directory, { recursive: true, force: true }));
    const mails = await startMailSink();
    undo.push(() => mails.close());
    const [pepper, mailKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const settings = {
      PASSWORD_PEPPER: pepper,
      MAIL_KEY: mailKey,
      PASSWORD_HASH: passwordHash,
      HASH_THREADS: String(hashThreads),
      BCRYPT_COST: String(bcryptCost),
      MAILS_PER_HOUR: '1000',
      MAILS_PER_ADDRESS: '1000000',
    };
    const ports = await freePorts();
    const reroute = (url: string): string => (url.startsWith('smtp') ? mails.url : url);
    const stack = await startStack({
      directory,
      ports,
      settings,
      scale,
      reroute,
      throwAway: true,
      signal,
      ...(servers && { servers }),
    });
    undo.push(() => stack.stop());
    const { databaseUrl, urls } = stack.facts;
    const emails = await addUsers(databaseUrl, {
      pepper,
      cost: bcryptCost,
      algorithm: passwordHash,
      count: options.users + (options.others ?? 0),
    });
    const users = await logIn(urls.core, emails.slice(0, options.users), signal);
    const others = emails.slice(options.users);
    const metrics = (port: number): string => `http://127.0.0.1:${port}/metrics`;
    const metricsUrl = metrics(ports.coreInternal);
    return {
      core: coreTargets({ url: urls.core, metricsUrl, users, others }),
      stack,
      databaseUrl,
      mails,
      mailKey,
      users,
      others,
      metricsUrls: {
        core: metricsUrl,
        portal: metrics(ports.portalInternal),
        admin: metrics(ports.adminInternal),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
