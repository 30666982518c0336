import {
  runService,
  type ProcessSettings,
  type ReadinessChecks,
  type ServiceParts,
} from '@gatehouse/runtime';
import type { ApiSettings } from './api-settings.ts';
import { createApi, type ApiDefinition } from './create-api.ts';

/**
 * Runs a service that has an API: reads its settings, lets `open` create the API's dependencies, listens, and is ready
 * once the `readiness` checks pass.
 */
export function runApi<Config extends ProcessSettings & ApiSettings, Deps>(
  service: string,
  readSettings: () => Config,
  open: (parts: ServiceParts<Config>) => Promise<{ api: ApiDefinition<Deps>; readiness: ReadinessChecks }>,
): void {
  const build = async (parts: ServiceParts<Config>) => {
    const { config, lifecycle, log, metrics, tracing } = parts;
    const { api: definition, readiness } = await open(parts);
    const {
      HOST: host,
      PORT,
      TRUST_PROXY: trustProxy,
      CORS_ORIGINS: corsOrigins,
      STREAMS_MAX: streamsMax,
      DRAIN_SECONDS: drainSeconds,
    } = config;
    const settings = { trustProxy, corsOrigins, streamsMax, drainSeconds };
    const api = createApi({ ...definition, log, metrics, tracing, ...settings });
    lifecycle.onStop(() => api.close());
    return { checks: readiness, facts: { host, port: await api.listen({ host, port: PORT }) } };
  };
  runService(service, readSettings, build, { drainSeconds: (config) => config.DRAIN_SECONDS });
}
