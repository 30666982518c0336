import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { readQueues } from '@gatehouse/events/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORDS, type Secrets } from './canary-life.ts';
import { invite } from '../people.ts';
import type { Target } from '../target.ts';

/** The addresses of failed mails, the secrets in them, and the messages that waited in each queue. */
export interface FailedMails {
  emails: string[];
  secrets: Secrets;
  queues: Map<string, string[]>;
}

/** Makes mails wait, be deferred, and be refused by a mail server that quotes them. Meanwhile reads every queue. */
export async function failMails(target: Target): Promise<FailedMails> {
  const { mailProxy, stack } = target;
  const secrets: Secrets = {};
  const [refused, putOff, waiting] = ['refused', 'put.off', 'waiting'].map(
    (what) => `canary.${what}.${target.someEmail()}`,
  ) as [string, string, string];
  const [password] = PASSWORDS;
  const has = (email: string, status: string): Promise<unknown> =>
    eventually(async () => {
      const path = `/admin/mail?email=${encodeURIComponent(email)}`;
      const { json } = await target.to('admin', { method: 'GET', path, token: target.adminToken });
      return (json['Items'] as { Status: string }[]).some((mail) => mail.Status === status);
    }, 20);
  const register = async (Email: string): Promise<void> => {
    const { status } = await target.posts('core', '/account/register', { Email, Password: password });
    assert.equal(status, 200);
  };
  try {
    mailProxy.setMode('550');
    await register(refused);
    await has(refused, 'Parked');
    mailProxy.setMode('451');
    await register(putOff);
    await has(putOff, 'Retrying');
    for (const [at, mail] of mailProxy.refused.entries()) {
      const code = /\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b/.exec(mail)?.[0];
      assert.ok(code !== undefined, mail);
      secrets[`code of mail ${at} that was not taken`] = code;
    }
    await stack.hold('mail-worker');
    await invite(target, waiting);
    await eventually(async () => (await readQueues(stack.facts.amqpUrl)).get('mail')?.length);
    const queues = await readQueues(stack.facts.amqpUrl);
    return { emails: [refused, putOff, waiting], secrets, queues };
  } finally {
    mailProxy.setMode('open');
    await stack.release('mail-worker');
  }
}

/**
 * Makes Core fail while it handles secrets: by a Postgres constraint that quotes the row, and without Postgres or
 * Redis.
 */
export async function failCore(target: Target): Promise<string[]> {
  const email = `canary.broken.${target.someEmail()}`;
  const [first, second, , wrong] = PASSWORDS;
  const statuses: number[] = [];
  const ask = async (path: string, body: object): Promise<void> => {
    statuses.push((await target.posts('core', path, body)).status);
  };
  const all = async (): Promise<void> => {
    await ask('/account/register', { Email: email, Password: first, DisplayName: 'Breaks' });
    await ask('/account/login', { Username: email, Password: wrong });
    await ask('/account/reset-password', { Email: email, Code: 'AAAA-AAAA', Password: second });
  };
  await query(
    target.db,
    `alter table account add constraint breaks check (display_name is distinct from 'Breaks') not valid`,
  );
  await all();
  await query(target.db, 'alter table account drop constraint breaks');
  assert.deepEqual(statuses.splice(0), [500, 404, 400]);
  for (const server of ['postgres', 'redis']) {
    await target.stack.hold(server);
    try {
      await all();
    } finally {
      await target.stack.release(server);
    }
  }
  assert.deepEqual(statuses.slice(0, 3), [503, 503, 503]);
  await eventually(
    async () => (await target.posts('core', '/account/forgot-password', { Email: email })).status === 200,
  );
  return [email];
}
