import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis } from '@gatehouse/redis';
import { query } from '@gatehouse/db';
import { listenToEvents } from '@gatehouse/events/testing';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { exchangeRaw } from '@gatehouse/http/testing';
import { failCore, failMails, useEveryFeature, type Secrets } from './canary.ts';
import type { Target } from '../target.ts';

/** Tables that may contain emails: of accounts (current or future), of mail recipients, and as keys of counters. */
const EMAIL_TABLES = new Set([
  'account',
  'account_code',
  'content_access',
  'invitation',
  'email_change',
  'login_throttle',
  'address_mail_quota',
  'mail_delivery',
]);

/** Uses accounts with recognisable secrets, and then searches every place that must not contain them. */
export function secretsStayWhereTheyBelong(target: Target): void {
  let secrets: Secrets;
  let emails: string[];
  let answers: string[];
  let events: string;
  let queues: Map<string, string[]>;
  before(async () => {
    const broken = await failCore(target);
    const tap = await listenToEvents(target.stack.facts.amqpUrl);
    const life = await useEveryFeature(target);
    const failed = await failMails(target);
    ({ queues } = failed);
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
    for (const email of emails)
      assert.ok(
        !text.toLowerCase().includes(email.toLowerCase()),
        `an email is in ${place}: ${lineWith(text, email)}`,
      );
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

  it('are in no queue', () => {
    const filled = [...queues].filter(([, texts]) => texts.length > 0).map(([name]) => name);
    assert.ok(filled.includes('mail'), `mail was empty: ${filled.join()}`);
    for (const [name, texts] of queues) {
      absentFrom(texts.join('\n'), `the queue ${name}`);
      hasNoEmail(texts.join('\n'), `the queue ${name}`);
    }
  });

  it('are not in the database, and email addresses are only in their own tables', async () => {
    const listing = `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
    const tables = await query<{ name: string }>(target.db, listing);
    assert.ok(tables.length > 15);
    for (const { name } of tables) {
      const rows = await query<{ text: string }>(target.db, `select t::text as text from "${name}" t`);
      const text = rows.map((row) => row.text).join('\n');
      if (name === 'audit' || name === 'mail_delivery') assert.ok(rows.length > 10, `${name} tells of it`);
      absentFrom(text, `the table ${name}`);
      if (!EMAIL_TABLES.has(name)) hasNoEmail(text, `the table ${name}`);
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

/** Sends every secret to places that do not expect it, and collects the responses. */
async function provokeErrors(target: Target, secrets: Secrets): Promise<string[]> {
  const answers: string[] = [];
  for (const secret of Object.values(secrets)) {
    const encoded = encodeURIComponent(secret);
    for (const asked of [
      { method: 'GET', path: `/person/${encoded}?search=${encoded}`, token: secret },
      {
        method: 'POST',
        path: '/account/login',
        body: { Username: secret, Password: { secret }, TwoFactorCode: secret },
      },
      { method: 'POST', path: '/account/refresh-token', body: { RefreshToken: `${secret}x` } },
      {
        method: 'POST',
        path: '/account/reset-password',
        body: { Email: secret, Code: secret, Password: secret },
      },
      { method: 'POST', path: '/account/verify', body: `{"Code":"${secret}"` },
      {
        method: 'GET',
        path: `/${encoded}?token=${encoded}`,
        headers: { cookie: `token=${secret}`, 'x-api-key': secret },
      },
      {
        method: 'GET',
        path: '/ping?includeHeaders=true',
        headers: { authorization: secret, cookie: secret, 'x-api-key': secret },
      },
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
    for (const [path, headers] of [
      [`/ping?token=${encoded}`, `Authorization: Bearer ${secret}\r\nCookie: session=${secret}\r\n`],
      [
        `/nothing?code=${encoded}`,
        `Referer: https://x.example/?token=${encoded}\r\nUser-Agent: ${secret}\r\n`,
      ],
      [`/account/login?password=${encoded}%`, `X-Api-Key: ${secret}\r\nBad Header\r\n`],
    ]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;
      answers.push(await exchangeRaw(Number(new URL(baseUrl).port), request, { silenceMs: 200 }));
    }
  }
  return answers;
}

/** The secrets that the parts of the system share. */
function secretsOfServers(target: Target): Secrets {
  const folder = join(target.directory, 'secrets');
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ name }) => [`the server’s ${name}`, readFileSync(join(folder, name), 'utf8').trim()]),
  );
}

/** How to read the value of a key, by type. */
const READERS: Record<string, (redis: ReturnType<typeof connectRedis>, key: string) => Promise<unknown>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, '0', '-1'),
};

async function textOfRedis(url: string): Promise<string> {
  const redis = connectRedis({ url, log: testLog() });
  try {
    await eventually(() => redis.status === 'ready');
    const parts: string[] = [];
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key);
      // The key has expired meanwhile.
      if (type === 'none') continue;
      const value = await READERS[type]?.(redis, key);
      assert.ok(value !== undefined, `${key} is a ${type}`);
      parts.push(`${key} ${JSON.stringify(value)}`);
    }
    return parts.join('\n');
  } finally {
    redis.disconnect();
  }
}

/** All processes that we may inspect. */
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

function lineWith(text: string, part: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.toLowerCase().includes(part.toLowerCase()))
      ?.slice(0, 400) ?? ''
  );
}
