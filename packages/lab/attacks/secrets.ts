import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base32Bytes, totpCode } from '@gatehouse/auth-core/testing';
import type { Redis } from '@gatehouse/redis';
import { query } from '@gatehouse/db';
import { listenToEvents } from '@gatehouse/events/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { exchangeRaw } from '@gatehouse/http/testing';
import { withRedis } from '../database.ts';
import type { Target } from './target.ts';

/** Tables that may contain emails: of accounts (current or future), of mail recipients, and as keys of counters. */
const EMAIL_TABLES =
  /^(account|account_code|content_access|invitation|email_change|login_throttle|address_mail_quota|mail_delivery)$/;

/** Uses accounts with recognisable secrets, and then searches every place that must not contain them. */
export function secretsStayWhereTheyBelong(target: Target): void {
  let secrets: Secrets;
  let emails: string[];
  let answers: string[];
  let events: string;
  before(async () => {
    const broken = await failCore(target);
    const tap = await listenToEvents(target.stack.facts.amqpUrl);
    const life = await useEveryFeature(target);
    const failed = await failMails(target);
    secrets = { ...life.secrets, ...failed.secrets };
    emails = [...life.emails, ...failed.emails, ...broken];
    answers = [...(await provokeErrors(target, secrets)), ...(await provokeTheGateway(target, secrets))];
    // Log lines and data of background work are written with a delay.
    const last = await target.posts('core', '/account/forgot-password', { Email: emails[0] });
    await eventually(() =>
      [...target.logs().values()].some((text) => text.includes(String(last.headers['x-trace-id']))),
    );
    events = (await tap.stop()).join('\n');
    assert.ok(events.includes('"type":"account.registered"'), 'events were heard');
  });

  const absentFrom = (text: string, place: string): void => {
    for (const [what, secret] of [...Object.entries(secrets), ...Object.entries(secretsOfServers(target))]) {
      for (const spelling of new Set([
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').slice(0, -4),
        Buffer.from(secret).toString('hex'),
      ]))
        assert.ok(!text.includes(spelling), `${what} is in ${place}`);
    }
  };
  const hasNoEmail = (text: string, place: string): void => {
    for (const email of emails) {
      const line = text.split('\n').find((one) => one.toLowerCase().includes(email.toLowerCase()));
      assert.equal(line?.slice(0, 400), undefined, `an email is in ${place}`);
    }
  };

  it('are in no log, like email addresses', () => {
    const logs = [...target.logs()];
    const textOf = (name: string): string => logs.find(([file]) => file.endsWith(`/${name}.log`))?.[1] ?? '';
    assert.match(textOf('gateway'), /"path":"\/ping"/, 'the gateway was asked');
    assert.match(textOf('core'), /"level":"error"/, 'Core had something to tell');
    assert.match(textOf('mail-worker'), /550/, 'the mail server’s words were told');
    for (const [file, text] of logs) {
      absentFrom(text, file);
      hasNoEmail(text, file);
    }
  });

  it('are in no error response', () => {
    assert.ok(answers.length > 50);
    for (const answer of answers) absentFrom(answer, 'an answer');
  });

  it('are in no key and no value in Redis', async () => {
    const text = await textOfRedis(target.stack.facts.redisUrl);
    assert.ok(text.length > 500, 'sessions were there');
    absentFrom(text, 'Redis');
    hasNoEmail(text, 'Redis');
  });

  it('are in no message sent over RabbitMQ', () => {
    absentFrom(events, 'an event');
    hasNoEmail(events, 'an event');
  });

  it('are not in the database, and email addresses are only in their own tables', async () => {
    const listing = `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
    const tables = await query<{ name: string }>(target.db, listing);
    assert.ok(tables.length > 15);
    for (const { name } of tables) {
      const rows = await query<{ text: string }>(target.db, `select t::text as text from "${name}" t`);
      const text = rows.map((row) => row.text).join('\n');
      if (name === 'audit' || name === 'mail_delivery') assert.ok(rows.length > 5, `${name} tells of it`);
      absentFrom(text, `the table ${name}`);
      if (!EMAIL_TABLES.test(name)) hasNoEmail(text, `the table ${name}`);
    }
  });

  it('are in no arguments or environment of a process, like the secrets of the servers', () => {
    for (const { pid, args, environment } of processes()) {
      absentFrom(args, `the arguments of process ${pid}`);
      for (const [what, secret] of Object.entries(secrets))
        assert.ok(!environment.includes(secret), `${what} is in the environment of process ${pid}`);
    }
  });
}

type Secrets = Record<string, string>;

const passwordOf = (what: 'first' | 'second' | 'guest' | 'wrong') => `canary-Pa55word-${what}`;

async function useEveryFeature(target: Target): Promise<{ secrets: Secrets; emails: string[] }> {
  const [first, second] = [passwordOf('first'), passwordOf('second')];
  const [guests, wrong] = [passwordOf('guest'), passwordOf('wrong')];
  const secrets: Secrets = { first, second, guests, wrong };
  const email = `canary.${target.someEmail()}`;
  const must = (path: string, body: object, token?: string) => target.must('core', path, body, token);
  const keep = (what: string, value: unknown): string => {
    assert.ok(typeof value === 'string' && value.length >= 6, `${what} was given`);
    return (secrets[what] = value);
  };

  await must('/account/register', { Email: email, Password: first, DisplayName: 'Canary' });
  const Code = keep('verification code', await target.mailedCode(email));
  await must('/account/verify', { Email: email, Code });
  const refused = await target.posts('core', '/account/login', { Username: email, Password: wrong });
  assert.equal(refused.status, 404, refused.text);
  const login = await must('/account/login', { Username: email, Password: first, DeviceName: 'A phone' });
  keep('access token', login['Token']);
  const refresh = keep('refresh token', login['RefreshToken']);
  const refreshed = await must('/account/refresh-token', { RefreshToken: refresh });
  keep('second refresh token', refreshed['RefreshToken']);
  await must('/account/forgot-password', { Email: email });
  const reset = keep('reset code', await target.mailedCode(email, 2));
  await must('/account/reset-password', { Email: email, Code: reset, Password: second });

  const again = await must('/account/login', { Username: email, Password: second });
  const token = keep('access token of the second login', again['Token']);
  const setup = await must('/account/two-factor', { Password: second }, token);
  const { Secret } = setup['TwoFactorSetup'] as { Secret: string };
  keep('authenticator secret', Secret);
  const TwoFactorCode = totpCode(base32Bytes(Secret), Date.now());
  const { RecoveryCodes } = await must('/account/two-factor', { TwoFactorCode }, token);
  for (const [at, code] of (RecoveryCodes as string[]).entries()) keep(`recovery code ${at}`, code);
  const half = await must('/account/login', { Username: email, Password: second });
  keep('two-factor token', half['TwoFactorToken']);
  const [RecoveryCode] = RecoveryCodes as string[];
  await must('/account/login', { TwoFactorToken: half['TwoFactorToken'], TwoFactorCode: RecoveryCode });

  const guest = `canary.${target.someEmail()}`;
  await target.invite(guest);
  const InvitationToken = keep('invitation token', await target.mailedInvitation(guest));
  await target.registerGuest(InvitationToken, guests);
  keep('static token', await target.newToken('Service'));

  const imported = `canary.${target.someEmail()}`;
  const hash = keep('imported hash', `$2b$04$${'canary'.repeat(9)}`.slice(0, 60));
  const answer = await target.imported({ Email: imported, PasswordHash: `${hash}!` });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(!answer.text.includes(hash), answer.text);
  const signedOn = `canary.${target.someEmail()}`;
  const { token: own, refreshToken } = await target.signOn(signedOn);
  keep('sign-on token', own);
  keep('sign-on refresh token', refreshToken);
  return { secrets, emails: [email, guest, signedOn] };
}

/** Makes mails be refused and deferred by a mail server that quotes them. Returns their addresses and secrets. */
async function failMails(target: Target): Promise<{ emails: string[]; secrets: Secrets }> {
  const { mailProxy } = target;
  const secrets: Secrets = {};
  const refused = `canary.refused.${target.someEmail()}`;
  const putOff = `canary.put.off.${target.someEmail()}`;
  const has = (email: string, status: string): Promise<unknown> =>
    eventually(async () => {
      const path = `/admin/mail?email=${encodeURIComponent(email)}`;
      const { json } = await target.to('admin', { method: 'GET', path, token: target.adminToken });
      return (json['Items'] as { Status: string }[]).some((mail) => mail.Status === status);
    }, 20);
  const register = async (Email: string): Promise<void> => {
    const { status } = await target.posts('core', '/account/register', {
      Email,
      Password: passwordOf('first'),
    });
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
    return { emails: [refused, putOff], secrets };
  } finally {
    mailProxy.setMode('open');
  }
}

/** Makes Core fail with secrets in hand: by a constraint that quotes the row, without Postgres or Redis. */
async function failCore(target: Target): Promise<string[]> {
  const email = `canary.broken.${target.someEmail()}`;
  const statuses: number[] = [];
  const ask = async (path: string, body: object): Promise<void> => {
    statuses.push((await target.posts('core', path, body)).status);
  };
  const all = async (): Promise<void> => {
    await ask('/account/register', { Email: email, Password: passwordOf('first'), DisplayName: 'Breaks' });
    await ask('/account/login', { Username: email, Password: passwordOf('wrong') });
    await ask('/account/reset-password', { Email: email, Code: 'AAAA-AAAA', Password: passwordOf('second') });
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

/** Sends every secret to places that do not expect it, and collects the responses. */
async function provokeErrors(target: Target, secrets: Secrets): Promise<string[]> {
  const answers: string[] = [];
  for (const secret of Object.values(secrets)) {
    const encoded = encodeURIComponent(secret);
    const posts: [path: string, body: unknown][] = [
      ['login', { Username: secret, Password: { secret }, TwoFactorCode: secret }],
      ['refresh-token', { RefreshToken: `${secret}x` }],
      ['reset-password', { Email: secret, Code: secret, Password: secret }],
      ['verify', `{"Code":"${secret}"`],
    ];
    const headers = { authorization: secret, cookie: `token=${secret}`, 'x-api-key': secret };
    for (const asked of [
      ...posts.map(([path, body]) => ({ method: 'POST', path: `/account/${path}`, body })),
      { method: 'GET', path: `/person/${encoded}?search=${encoded}`, token: secret },
      { method: 'GET', path: `/${encoded}?token=${encoded}`, headers },
      { method: 'GET', path: '/ping?includeHeaders=true', headers },
    ])
      answers.push((await target.to('core', asked)).text);
    const person = { method: 'GET', path: `/admin/account/${encoded}`, token: target.adminToken };
    answers.push((await target.to('admin', person)).text);
  }
  return answers;
}

/** The same through the gateway, which has a separate log. */
async function provokeTheGateway(target: Target, secrets: Secrets): Promise<string[]> {
  const { baseUrl } = target.stack.facts;
  const answers: string[] = [];
  for (const secret of Object.values(secrets)) {
    const encoded = encodeURIComponent(secret);
    const headers = `Cookie: session=${secret}\r\nReferer: https://x.example/?token=${encoded}\r\nUser-Agent: ${secret}\r\n`;
    for (const [path, more] of [
      [`/ping?token=${encoded}`, `Authorization: Bearer ${secret}`],
      [`/nothing?code=${encoded}`, `Authorization: ${secret}`],
      [`/account/login?password=${encoded}%`, `X-Api-Key: ${secret}\r\nBad Header`],
    ]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}${more}\r\nConnection: close\r\n\r\n`;
      answers.push(await exchangeRaw(Number(new URL(baseUrl).port), request, { silenceMs: 200 }));
    }
  }
  return answers;
}

function secretsOfServers(target: Target): Secrets {
  const folder = join(target.directory, 'secrets');
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ name }) => [`the server’s ${name}`, readFileSync(join(folder, name), 'utf8').trim()]),
  );
}

const READERS: Record<string, (redis: Redis, key: string) => Promise<unknown>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, '0', '-1'),
  // The key has expired meanwhile.
  none: () => Promise.resolve('expired'),
};

function textOfRedis(url: string): Promise<string> {
  return withRedis(url, async (redis) => {
    const parts: string[] = [];
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key);
      const value = await READERS[type]?.(redis, key);
      assert.ok(value !== undefined, `${key} is a ${type}`);
      parts.push(`${key} ${JSON.stringify(value)}`);
    }
    return parts.join('\n');
  });
}

function processes(): { pid: string; args: string; environment: string }[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
      return [{ pid, args: read('cmdline'), environment: read('environ') }];
    } catch {
      return []; // it has ended, or belongs to another user
    }
  });
}
