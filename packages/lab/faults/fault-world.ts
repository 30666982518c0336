import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { freePorts } from '@gatehouse/dev';
import { Proxy } from '@gatehouse/runtime/testing';
import { startWorld, type World } from '../../e2e/src/testing/index.ts';
import { openSink } from '../../e2e/src/world/mail-sink.ts';
import { startCounterpart } from '../bench/counterparts/counterpart.ts';
import { withDb, withRedis } from '../database.ts';
import { callsOf } from '../users.ts';
import { codeIn, mailTo } from './mails.ts';

/** The servers that the services depend on, by the names of their ports on a private stack. */
const DEPENDENCIES = ['postgres', 'redis', 'rabbitmq', 'smtp'] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

/** The whole system on private servers, with a proxy in front of each, and a mail server whose behaviour can be set. */
export type FaultWorld = Awaited<ReturnType<typeof startFaultWorld>>;

export async function startFaultWorld() {
  const ports = await freePorts();
  const sink = await openSink();
  const baseline = await openBaseline();
  const proxies = {
    postgres: await Proxy.open({ port: ports.postgres }),
    redis: await Proxy.open({ port: ports.redis }),
    rabbitmq: await Proxy.open({ port: ports.rabbitmq }),
    smtp: await Proxy.open({ port: sink.port }),
  };
  const byPort = new Map(DEPENDENCIES.map((name) => [ports[name], proxies[name]] as const));
  const close = async (): Promise<void> => {
    for (const proxy of Object.values(proxies)) await proxy.close();
    await sink.close();
    await baseline.close();
  };
  try {
    const reroute = (url: string): string => byPort.get(Number(new URL(url).port))?.reroute(url) ?? url;
    const world = await startWorld({}, { ownServers: true, ports, reroute });
    // A throw-away Postgres is not durable: acknowledged data would not survive a kill of the server.
    await runOnPostgres(world, 'alter database gatehouse set synchronous_commit = on', DISCONNECT);
    const stop = async (): Promise<void> => {
      for (const proxy of Object.values(proxies)) await proxy.heal();
      await world.stop();
      await close();
    };
    const { coreInternal, portalInternal, adminInternal, mailWorkerInternal } = ports;
    const healthUrls = [coreInternal, portalInternal, adminInternal, mailWorkerInternal].map(
      (port) => `http://127.0.0.1:${port}/health/ready`,
    );
    return { ...world, proxies, sink, baseline, healthUrls, stop };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Measures the time of `GET /ping`. */
async function openBaseline() {
  const bare = await startCounterpart('bare-http.mjs');
  const agent = new Agent({ keepAlive: true });
  return {
    /** Milliseconds more than a bare server takes that is asked at the same moment; Infinity if it breaks. */
    excessOf: async (url: string): Promise<number> => {
      const [service, other] = await Promise.all([timed(`${url}/ping`, agent), timed(bare.url, agent)]);
      return Math.max(0, service - other);
    },
    close: (): Promise<void> => {
      agent.destroy();
      return bare.stop();
    },
  };
}

function timed(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const request = get(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - begun));
    });
    request.on('error', () => resolve(Infinity)).setTimeout(5000, () => request.destroy(new Error('late')));
  });
}

/** Sends a command directly to the private Redis, not through the proxy. */
export function runOnRedis(world: World, command: string): Promise<unknown> {
  const [name = '', ...words] = command.split(' ');
  return withRedis(world.stack.facts.redisUrl, (redis) => redis.call(name, ...words));
}

/** Runs statements on the private Postgres as its superuser, not through the proxy. */
export async function runOnPostgres(world: World, ...statements: string[]): Promise<void> {
  const url = new URL(world.stack.facts.databaseUrl);
  url.username = 'postgres';
  url.password = readFileSync(join(world.directory, 'secrets', 'postgres-superuser'), 'utf8').trim();
  await withDb(url.href, async (db) => {
    for (const statement of statements) await query(db, statement);
  });
}

/** Breaks every connection of the services to Postgres, so that changed settings apply to the next ones. */
export const DISCONNECT = `select pg_terminate_backend(pid)
  from pg_stat_activity
  where application_name like 'gatehouse-%'`;

/** The calls of the services, without the gateway, and what was mailed. */
export function clientOf(world: FaultWorld, remember?: Parameters<typeof callsOf>[1]) {
  const calls = callsOf(world.stack.facts.urls, remember);
  const mailedCode = async (email: string): Promise<string> => codeIn(await mailTo(world, email));
  const newAccount = async (): Promise<string> => {
    const email = someEmail();
    assert.equal((await calls.register(email)).status, 200);
    assert.equal((await calls.verify(email, await mailedCode(email))).status, 200);
    return email;
  };
  return { ...calls, mailedCode, newAccount };
}
