import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasswords } from '@gatehouse/auth-core';
import { accounts, connectDb } from '@gatehouse/db';
import { createLog } from '@gatehouse/runtime';
import { freePorts, startStack } from '@gatehouse/stack';
import { v7 as newId } from 'uuid';
import type { Target } from './load.ts';

const SESSIONS = 200;
const PASSWORD = 'correct horse battery';
/** The cheapest there is: logging in is not what is measured. */
const BCRYPT_COST = 4;
/** `npm test` clears away what is called so and was left by a process that was killed. */
const FOLDER = 'gatehouse-test-bench-';

/** The real system with throw-away servers and its sessions; Core is one process, asked without the gateway. */
export async function startCore(signal: AbortSignal) {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), FOLDER));
  const pepper = randomBytes(32).toString('hex');
  const ports = await freePorts();
  const settings = { PASSWORD_PEPPER: pepper, BCRYPT_COST: String(BCRYPT_COST) };
  const stack = await startStack({ directory, ports, settings, throwAway: true, signal }).catch(
    (error: unknown) => {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    },
  );
  const stop = async (): Promise<void> => {
    await stack.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const { core } = stack.facts.urls;
    const emails = await addAccounts(stack.facts.databaseUrl, pepper);
    const tokens = await logIn(core, emails, signal);
    return { ...coreTargets(core, `http://127.0.0.1:${ports.coreInternal}/metrics`, tokens), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Core as what is asked of it, with these sessions' tokens in turn. */
function coreTargets(
  url: string,
  metricsUrl: string,
  tokens: readonly string[],
): { ping: Target; pingAuth: Target } {
  const cpuSeconds = (): Promise<number> => readCpuSeconds(metricsUrl);
  const json = { 'content-type': 'application/json' };
  const bearers = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
  return {
    ping: {
      name: 'POST /account/ping',
      url,
      requests: bearers.map((bearer) => ({
        method: 'POST',
        path: '/account/ping',
        headers: { ...json, ...bearer },
        body: '{}',
      })),
      cpuSeconds,
    },
    pingAuth: {
      name: 'GET /ping/auth',
      url,
      requests: bearers.map((headers) => ({ method: 'GET', path: '/ping/auth', headers })),
      cpuSeconds,
    },
  };
}

/** An account for each session, as an account has one alone (`SINGLE_SESSION`). Returns their emails. */
async function addAccounts(databaseUrl: string, pepper: string): Promise<string[]> {
  const db = connectDb({ url: databaseUrl, applicationName: 'gatehouse-bench', poolMax: 4 });
  const log = createLog({ service: 'bench', level: 'error' });
  const passwords = createPasswords({ pepper, cost: BCRYPT_COST, threads: 1, minLength: 8, log });
  try {
    const passwordHash = await passwords.hash(PASSWORD);
    const emails = Array.from({ length: SESSIONS }, () => `${newId()}@gatehouse.example`);
    const add = (email: string): Promise<unknown> =>
      accounts.insert(db, {
        id: newId(),
        email,
        emailKey: email,
        displayName: 'Bench',
        locale: 'en',
        role: 'User',
        signup: 'complete',
        passwordHash,
        isEmailVerified: true,
      });
    await Promise.all(emails.map(add));
    return emails;
  } finally {
    await passwords.close();
    await db.destroy();
  }
}

/** Logs everyone in over HTTP and returns the access tokens. */
async function logIn(url: string, emails: readonly string[], signal: AbortSignal): Promise<string[]> {
  const tokens: string[] = [];
  for (const email of emails) {
    const answer = await fetch(`${url}/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Username: email, Password: PASSWORD }),
      signal,
    });
    if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${await answer.text()}`);
    tokens.push(((await answer.json()) as { Token: string }).Token);
  }
  return tokens;
}

async function readCpuSeconds(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const value = /^process_cpu_seconds_total(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1];
  if (value === undefined) throw new Error('the metrics of Core do not tell its CPU time');
  return Number(value);
}
