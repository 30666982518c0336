import { runService, setting } from '@gatehouse/runtime';
import type { ProcessSettings, ReadinessChecks, ServiceParts } from '@gatehouse/runtime';
import { Type, type Static, type TObject } from '@gatehouse/schema';
import { createApi, type ApiDefinition } from './create-api.ts';

/** Reads settings, lets `open` create the API's dependencies, listens, and is ready once `readiness` passes. */
export function runApi<Config extends ProcessSettings & ApiSettings, Deps>(
  service: string,
  readSettings: () => Config,
  open: (parts: ServiceParts<Config>) => Promise<{ api: ApiDefinition<Deps>; readiness: ReadinessChecks }>,
): void {
  const build = async (parts: ServiceParts<Config>) => {
    const { config, lifecycle, log, metrics, tracing } = parts;
    const { api: definition, readiness } = await open(parts);
    const api = createApi({
      ...{ ...definition, log, metrics, tracing },
      trustProxy: config.TRUST_PROXY,
      corsOrigins: config.CORS_ORIGINS,
      streamsMax: config.STREAMS_MAX,
      drainSeconds: config.DRAIN_SECONDS,
    });
    lifecycle.onStop(() => api.close());
    const port = await api.listen({ host: config.HOST, port: config.PORT });
    return { checks: readiness, facts: { host: config.HOST, port } };
  };
  runService(service, readSettings, build, { drainSeconds: (config) => config.DRAIN_SECONDS });
}

export function apiSettings(standard: { port: number }) {
  return {
    HOST: setting('127.0.0.1', 'The address that the API listens on; `::` for all of IPv4 and IPv6'),
    PORT: Type.Integer({
      default: standard.port,
      minimum: 0,
      maximum: 65_535,
      description: 'The port of the API; 0 takes a free one',
    }),
    TRUST_PROXY: setting(
      '',
      'Addresses or CIDR ranges, with commas, of the proxies whose X-Forwarded-For is trusted',
    ),
    STREAMS_MAX: Type.Integer({
      default: 20_000,
      minimum: 0,
      maximum: 1_000_000,
      description: 'How many event streams each process of the API may have open',
    }),
    DRAIN_SECONDS: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 300,
      description: 'How long the API still serves after SIGTERM, until load balancers have noticed',
    }),
    CORS_ORIGINS: setting('', 'Origins, with commas, whose pages may call the APIs; compared exactly'),
  };
}

type ApiSettings = Readonly<Static<TObject<ReturnType<typeof apiSettings>>>>;
