import { freePorts } from '@gatehouse/dev';
import { startWorld, type World } from '../../e2e/src/testing/index.ts';
import { Proxy } from '@gatehouse/runtime/testing';
import { DISCONNECT, runOnPostgres } from './servers.ts';
import { openSink, type Sink } from '../../e2e/src/world/mail-sink.ts';
import { openBaseline, type Baseline } from './baseline.ts';

/** The servers that the services depend on, by the names of their ports on a private stack. */
const DEPENDENCIES = ['postgres', 'redis', 'rabbitmq', 'smtp'] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

/** The whole system on private servers, with a proxy in front of each, and a mail server whose behaviour can be set. */
export interface FaultWorld extends World {
  proxies: Record<Dependency, Proxy>;
  sink: Sink;
  baseline: Baseline;
  /** The health URLs of the services, by name. */
  healthUrls: Record<string, string>;
}

export async function startFaultWorld(): Promise<FaultWorld> {
  const ports = await freePorts();
  const sink = await openSink();
  const baseline = await openBaseline();
  const proxies = {
    postgres: await Proxy.open({ port: ports.postgres }, 'postgres'),
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
    const local = (port: number): string => `http://127.0.0.1:${port}/health/ready`;
    const healthUrls = {
      core: local(ports.coreInternal),
      portal: local(ports.portalInternal),
      admin: local(ports.adminInternal),
      'mail-worker': local(ports.mailWorkerInternal),
    };
    return { ...world, proxies, sink, baseline, healthUrls, stop };
  } catch (error) {
    await close();
    throw error;
  }
}
