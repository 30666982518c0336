import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPasswords } from '@gatehouse/auth-core';
import { freePorts, startStack, type Servers } from '@gatehouse/dev';
import { createLog } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { openSink } from '../../e2e/src/world/mail-sink.ts';
import { addAccount, withDb } from '../database.ts';
import { inTurns } from '../in-turns.ts';
import { ask, type Asked, type Target } from './load.ts';

export interface SystemOptions {
  signal: AbortSignal;
  bcryptCost: number;
  users: number;
  /** The number of accounts that are not logged in. */
  others?: number;
  servers?: Servers;
}

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Starts the system. Requests go directly to its services, not through the gateway. */
export async function startSystem(options: SystemOptions) {
  const { signal, bcryptCost, servers } = options;
  const undo: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    // `npm test` removes folders with this prefix that a killed process left behind.
    const directory = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-test-bench-'));
    undo.push(() => rmSync(directory, { recursive: true, force: true }));
    const sink = await openSink();
    undo.push(() => sink.close());
    const [pepper, mailKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const { file, ...application } = declareApplication(directory);
    const ports = await freePorts();
    const stack = await startStack({
      directory,
      ports,
      signal,
      throwAway: true,
      ...(servers && { servers }),
      settings: {
        OAUTH_CLIENTS_FILE: file,
        PASSWORD_PEPPER: pepper,
        MAIL_KEY: mailKey,
        BCRYPT_COST: String(bcryptCost),
        MAILS_PER_HOUR: '1000',
        MAILS_PER_ADDRESS: '1000000',
      },
      reroute: (url) => (url.startsWith('smtp') ? `smtp://127.0.0.1:${sink.port}` : url),
    });
    undo.push(() => stack.stop());
    const { databaseUrl, urls } = stack.facts;
    const count = options.users + (options.others ?? 0);
    const emails = await addUsers(databaseUrl, { pepper, cost: bcryptCost, count });
    const users = await logIn(urls.core, emails.slice(0, options.users), signal);
    const others = emails.slice(options.users);
    const metrics = (port: number): string => `http://127.0.0.1:${port}/metrics`;
    const metricsUrls = {
      core: metrics(ports.coreInternal),
      portal: metrics(ports.portalInternal),
      admin: metrics(ports.adminInternal),
      mailWorker: metrics(ports.mailWorkerInternal),
    };
    const core = coreTargets({ url: urls.core, metricsUrl: metricsUrls.core, users, others });
    return { stack, databaseUrl, sink, mailKey, core, users, others, application, metricsUrls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A confidential client that needs no consent. */
function declareApplication(directory: string) {
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

/** A logged-in user. An account has only one session, so logging in again ends it. */
interface User {
  email: string;
  token: string;
  refreshToken: string;
}

const PASSWORD = 'correct horse battery';
const JSON_BODY = { 'content-type': 'application/json' };
const WIDTH = 8;
const TRIES = 20;

/** Adds accounts that share one password, which is hashed only once. Returns their emails. */
async function addUsers(databaseUrl: string, hashed: { pepper: string; cost: number; count: number }) {
  const passwords = openPasswords({ ...hashed, threads: 1 });
  const passwordHash = await passwords.hash(PASSWORD);
  await passwords.close();
  return withDb(databaseUrl, async (db) => {
    const emails: string[] = [];
    while (emails.length < hashed.count) emails.push((await addAccount(db, passwordHash)).email);
    return emails;
  });
}

export function openPasswords(options: { pepper: string; cost: number; threads: number }) {
  const log = createLog({ service: 'bench', level: 'error' });
  return createPasswords({ ...options, algorithm: 'bcrypt', minLength: 8, log });
}

export function logIn(url: string, emails: readonly string[], signal: AbortSignal, password?: string) {
  const logInOne = async (email: string, triesLeft = TRIES): Promise<User> => {
    const answer = await ask(url, loginOf(email, password), signal);
    const text = await answer.text();
    // The machine may be busy with other work; these logins are not measured.
    if (answer.status === 503 && triesLeft > 0) {
      await sleep(1000, undefined, { signal });
      return logInOne(email, triesLeft - 1);
    }
    if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${text}`);
    const { Token, RefreshToken } = JSON.parse(text) as { Token: string; RefreshToken: string };
    return { email, token: Token, refreshToken: RefreshToken };
  };
  return inTurns(emails, WIDTH, logInOne);
}

/** Requests of all sessions in turn, and logins of accounts without a session. */
function coreTargets(core: { url: string; metricsUrl: string; users: User[]; others: string[] }) {
  const { url, users, others } = core;
  const cpuSeconds = (): Promise<number> => readMetric(core.metricsUrl, 'process_cpu_seconds_total');
  const target = (name: string, requests: Asked[]): Target => ({ name, url, requests, cpuSeconds });
  const asRefresh = (RefreshToken: string) => posting('/account/refresh-token', { RefreshToken });
  const tokens = users.map(({ refreshToken }) => refreshToken);
  return {
    /** Other requests to Core. */
    target,
    ping: target('POST /account/ping', users.map(pingOf)),
    pingAuth: target('GET /ping/auth', users.map(checkOf)),
    login: target(
      'POST /account/login',
      others.map((email) => loginOf(email)),
    ),
    refresh: refreshing(target('POST /account/refresh-token', tokens.map(asRefresh)), asRefresh),
  };
}

export function posting(path: string, body: object): Asked {
  return { method: 'POST', path, headers: JSON_BODY, body: JSON.stringify(body) };
}

export function loginOf(Username: string, Password = PASSWORD, more: object = {}): Asked {
  return posting('/account/login', { Username, Password, ...more });
}

export function pingOf(session: Pick<User, 'token'>): Asked {
  const asked = posting('/account/ping', {});
  return { ...asked, headers: { ...asked.headers, ...bearerOf(session) } };
}

export function checkOf(session: Pick<User, 'token'>): Asked {
  return { method: 'GET', path: '/ping/auth', headers: bearerOf(session) };
}

export function bearerOf({ token }: Pick<User, 'token'>): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** Refreshes with the token of each answer, as a client does. */
export function refreshing(target: Target, asked: (token: string) => Asked): Target {
  return {
    ...target,
    next: (answer) => {
      // As Core's API names it, or as OAuth does.
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, string>;
      return asked(body['RefreshToken'] ?? body['refresh_token'] ?? '');
    },
  };
}

/** The value of a service's metric: the one without labels, otherwise the first one with labels. */
export async function readMetric(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`the metrics at ${metricsUrl} do not tell ${name}`);
  return Number(value);
}
