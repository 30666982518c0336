import { setTimeout as sleep } from 'node:timers/promises';
import { createPasswords } from '@gatehouse/auth-core';
import { accounts, connectDb, inTransaction } from '@gatehouse/db';
import { createLog, NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { ask, type Asked } from '../load/load.ts';

/** A logged-in user. */
export interface User {
  email: string;
  token: string;
  refreshToken: string;
}

const PASSWORD = 'correct horse battery';
const JSON_BODY = { 'content-type': 'application/json' };
/** How many users log in at the same time. */
const WIDTH = 8;

/** Adds accounts that share one password, which is hashed only once. Returns their emails. */
export async function addUsers(databaseUrl: string, hashed: { pepper: string; cost: number; count: number }) {
  const db = connectDb({ url: databaseUrl, applicationName: 'gatehouse-bench', poolMax: 4 });
  const log = createLog({ service: 'bench', level: 'error' });
  const passwords = createPasswords({ ...hashed, algorithm: 'bcrypt', threads: 1, minLength: 8, log });
  try {
    const passwordHash = await passwords.hash(PASSWORD);
    const emails = Array.from({ length: hashed.count }, () => `${newId()}@gatehouse.example`);
    for (const email of emails) {
      await inTransaction(db, NO_DEADLINE, (tx) =>
        accounts.insert(tx, {
          id: newId(),
          email,
          emailKey: email,
          displayName: 'Bench',
          locale: 'en',
          role: 'User',
          signup: 'complete',
          passwordHash,
          isEmailVerified: true,
        }),
      );
    }
    return emails;
  } finally {
    await passwords.close();
    await db.destroy();
  }
}

/** A login request. */
export function loginOf(email: string, password = PASSWORD): Asked {
  return {
    method: 'POST',
    path: '/account/login',
    headers: JSON_BODY,
    body: JSON.stringify({ Username: email, Password: password }),
  };
}

/** Logs in all accounts over HTTP. */
export async function logIn(url: string, emails: readonly string[], signal: AbortSignal, password?: string) {
  const waiting = [...emails.entries()];
  const users: User[] = [];
  let triesLeft = emails.length;
  const next = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const [at, email] = one;
      const answer = await ask(url, loginOf(email, password), signal);
      // The machine may be busy with other work; these logins are not measured.
      if (answer.status === 503 && triesLeft > 0) {
        triesLeft -= 1;
        waiting.push(one);
        await answer.arrayBuffer();
        await sleep(1000, undefined, { signal });
        continue;
      }
      if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${await answer.text()}`);
      const { Token, RefreshToken } = (await answer.json()) as { Token: string; RefreshToken: string };
      users[at] = { email, token: Token, refreshToken: RefreshToken };
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, next));
  return users;
}
