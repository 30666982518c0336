import { Type } from '@gatehouse/schema';
import { readConfig } from '../settings/config.ts';
import { createLog, type Log } from '../log/log.ts';

export { during, duringEach, endings, testFolder, useFolder } from './during.ts';
export { testAuthority } from './certificates.ts';
export { isCommitted, Proxy, type Protocol, type ProxiedMessage, type Verdict } from './proxy.ts';
export { randomFrom, shuffled } from './random.ts';
export { serve } from './serve.ts';
export { startNameServer, type NameAnswer } from './name-server.ts';
export { cpuMsOf, leastOf, msOf, turnsOf, type Turns } from './turns.ts';
export { openTlsProxy } from './tls.ts';
export { startProxy } from './tunnel-proxy.ts';

/** The servers of this test run; `npm test` starts them and sets their addresses in the environment. */
export function testServers() {
  const given = readConfig(TestServers);
  return {
    postgresUrl: given.TEST_POSTGRES_URL,
    redisUrl: given.TEST_REDIS_URL,
    amqpUrl: given.TEST_AMQP_URL,
    smtpUrl: given.TEST_SMTP_URL,
    mailUrl: given.TEST_MAIL_URL,
  };
}

const TestServers = Type.Object({
  TEST_POSTGRES_URL: Type.String({ description: 'a superuser of a throw-away Postgres' }),
  TEST_REDIS_URL: Type.String(),
  TEST_AMQP_URL: Type.String(),
  TEST_SMTP_URL: Type.String(),
  TEST_MAIL_URL: Type.String({ description: "the mail inbox's REST address" }),
});

export function testLog(): Log & { lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (text: string): void => {
    for (const line of text.trimEnd().split('\n')) lines.push(JSON.parse(line) as Record<string, unknown>);
  };
  const log = createLog({ service: 'test', level: 'debug', write });
  return Object.assign(log, { lines });
}

/** Waits until `condition` returns something truthy and returns that; fails after `seconds`. */
export async function eventually<T>(
  condition: () => Promise<T> | T,
  seconds = 10,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    let last: unknown;
    try {
      const value = await condition();
      if (value) return value as NonNullable<Exclude<T, false>>;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline)
      throw new Error(`the condition did not come true within ${seconds} s`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
export { startTraceReceiver, tracingTo, type ReceivedSpan } from './trace-receiver.ts';

/** These fields of each item, as tests compare them; the values alone, if it is one field. */
export function fieldsOf<Item extends object>(
  items: readonly Item[],
  ...fields: readonly (keyof Item)[]
): unknown[] {
  return items.map((item) => {
    const values = fields.map((field) => item[field]);
    return values.length === 1 ? values[0] : values;
  });
}
