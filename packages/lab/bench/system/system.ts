import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startStack, type Servers, type Stack } from '@gatehouse/dev';
import { coreTargets, type CoreTargets } from './core-targets.ts';
import { startCounterpart, type Counterpart } from '../counterparts/counterpart.ts';
import { addUsers, logIn, type User } from './users.ts';
import { v7 as newId } from 'uuid';

/** `npm test` removes folders with this prefix that a killed process left behind. */
const FOLDER = 'gatehouse-test-bench-';

/** The real system with throw-away servers, its users, and a mail server in another process. */
export interface System {
  stack: Stack;
  databaseUrl: string;
  mailServer: Counterpart;
  /** The key that seals mails. */
  mailKey: string;
  /** Targets of Core. They always use the refresh tokens of the latest answers. */
  core: CoreTargets;
  /** Logged-in users. An account has only one session, so logging in again ends it. */
  users: User[];
  /** Emails of accounts that are not logged in; they have the same password. */
  others: string[];
  application: Application;
  /** The metrics URLs of the services. */
  metricsUrls: { core: string; portal: string; admin: string; mailWorker: string };
  stop(): Promise<void>;
}

/** A confidential client that needs no consent. */
export interface Application {
  id: string;
  secret: string;
  callback: string;
  api: string;
}

export interface SystemOptions {
  signal: AbortSignal;
  bcryptCost: number;
  /** The number of logged-in users. */
  users: number;
  others?: number;
  /** Existing servers to use. */
  servers?: Servers;
}

/** Starts the system. Requests go directly to its services, not through the gateway. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { signal, bcryptCost, servers } = options;
  const undo: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), FOLDER));
    undo.push(() => rmSync(directory, { recursive: true, force: true }));
    const mailServer = await startCounterpart('mail-server.mjs');
    undo.push(() => mailServer.stop());
    const [pepper, mailKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const application = declareApplication(directory);
    const settings = {
      OAUTH_CLIENTS_FILE: application.file,
      PASSWORD_PEPPER: pepper,
      MAIL_KEY: mailKey,
      BCRYPT_COST: String(bcryptCost),
      MAILS_PER_HOUR: '1000',
      MAILS_PER_ADDRESS: '1000000',
    };
    const ports = await freePorts();
    const reroute = (url: string) =>
      url.startsWith('smtp') ? mailServer.url.replace('http:', 'smtp:') : url;
    const stack = await startStack({
      directory,
      ports,
      settings,
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
      mailServer,
      mailKey,
      users,
      others,
      application,
      metricsUrls: {
        core: metricsUrl,
        portal: metrics(ports.portalInternal),
        admin: metrics(ports.adminInternal),
        mailWorker: metrics(ports.mailWorkerInternal),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function declareApplication(directory: string): Application & { file: string } {
  const [id, secret] = [newId(), randomBytes(32).toString('hex')];
  const [callback, api] = ['https://app.example.com/callback', 'https://api.example.com'];
  const [file, secretFile] = [join(directory, 'clients.json'), join(directory, 'secret')];
  const client = {
    Id: id,
    Name: 'Bench',
    SecretFile: secretFile,
    RedirectUris: [callback],
    Scopes: ['openid', 'offline_access', 'read'],
    GrantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    Resources: [api],
    IdTokenAlg: 'ES256',
    IsTrusted: true,
  };
  writeFileSync(secretFile, secret);
  writeFileSync(file, JSON.stringify([client]));
  return { id, secret, callback, api, file };
}
