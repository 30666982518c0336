import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { readQueues } from '@gatehouse/events/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { base32Bytes, totpCode } from '@gatehouse/auth-core/testing';
import { invite, signOn } from '../people.ts';
import type { ServiceName, Target } from '../target.ts';

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
  const constraint = `alter table account add constraint breaks check (display_name is distinct from 'Breaks') not valid`;
  await query(target.db, constraint);
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

/** Secrets by description. */
export type Secrets = Record<string, string>;

/** All texts that are typed as a password. */
const PASSWORDS = [
  'canary-Pa55word-first',
  'canary-Pa55word-second',
  'canary-Pa55word-guest',
  'canary-Pa55word-wrong',
] as const;

/** Uses all features that give an account secrets, and collects the secrets and the emails. */
export async function useEveryFeature(target: Target): Promise<{ secrets: Secrets; emails: string[] }> {
  const [first, second, guests, wrong] = PASSWORDS;
  const secrets: Secrets = { first, second, guests, wrong };
  const email = `canary.${target.someEmail()}`;
  const must = async (service: ServiceName, path: string, body: object, token?: string, status = 200) => {
    const answer = await target.posts(service, path, body, token);
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    return answer.json;
  };
  const keep = (what: string, value: unknown): string => {
    assert.ok(typeof value === 'string' && value.length >= 6, `${what} was given`);
    return (secrets[what] = value);
  };

  await must('core', '/account/register', { Email: email, Password: first, DisplayName: 'Canary' });
  const Code = keep('verification code', await target.mailedCode(email));
  await must('core', '/account/verify', { Email: email, Code });
  await must('core', '/account/login', { Username: email, Password: wrong }, undefined, 404);
  const login = await must('core', '/account/login', {
    Username: email,
    Password: first,
    DeviceName: 'A phone',
  });
  keep('access token', login['Token']);
  const refresh = keep('refresh token', login['RefreshToken']);
  const refreshed = await must('core', '/account/refresh-token', { RefreshToken: refresh });
  keep('second refresh token', refreshed['RefreshToken']);
  await must('core', '/account/forgot-password', { Email: email });
  const reset = keep('reset code', await target.mailedCode(email, 2));
  await must('core', '/account/reset-password', { Email: email, Code: reset, Password: second });

  const again = await must('core', '/account/login', { Username: email, Password: second });
  const token = keep('access token of the second login', again['Token']);
  const setup = await must('core', '/account/two-factor', { Password: second }, token);
  const { Secret } = setup['TwoFactorSetup'] as { Secret: string };
  keep('authenticator secret', Secret);
  const TwoFactorCode = totpCode(base32Bytes(Secret), Date.now());
  const { RecoveryCodes } = await must('core', '/account/two-factor', { TwoFactorCode }, token);
  for (const [at, code] of (RecoveryCodes as string[]).entries()) keep(`recovery code ${at}`, code);
  const half = await must('core', '/account/login', { Username: email, Password: second });
  keep('two-factor token', half['TwoFactorToken']);
  await must('core', '/account/login', {
    TwoFactorToken: half['TwoFactorToken'],
    TwoFactorCode: (RecoveryCodes as string[])[0],
  });

  const guest = `canary.${target.someEmail()}`;
  await invite(target, guest);
  const InvitationToken = keep('invitation token', await target.mailedInvitation(guest));
  await must('portal', '/account/register-guest', { InvitationToken, Password: guests, DisplayName: 'Gus' });
  keep('static token', await target.newToken('Service'));

  const imported = `canary.${target.someEmail()}`;
  const hash = keep('imported hash', `$2b$04$${'canary'.repeat(9)}`.slice(0, 60));
  const answer = await target.imported({ Email: imported, PasswordHash: `${hash}!` });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(!answer.text.includes(hash), answer.text);
  const signedOn = `canary.${target.someEmail()}`;
  const { token: own, refreshToken } = await signOn(target, signedOn);
  keep('sign-on token', own);
  keep('sign-on refresh token', refreshToken);
  return { secrets, emails: [email, guest, signedOn] };
}
