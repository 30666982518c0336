import {
  runService,
  type ProcessSettings,
  type ReadinessChecks,
  type ServiceParts,
} from '@gatehouse/runtime';
import type { ApiSettings } from './api-settings.ts';
import { createApi, type ApiDefinition } from './create-api.ts';

/**
 * Runs a service that has an API: reads its settings, lets `open` build what the API is made of, listens, and is ready
 * once the checks of `readiness` pass.
 */
export function runApi<Config extends ProcessSettings & ApiSettings, Deps>(
  service: string,
  readSettings: () => Config,
  open: (parts: ServiceParts<Config>) => { api: ApiDefinition<Deps>; readiness: ReadinessChecks },
): void {
  runService(service, readSettings, async (parts) => {
    const { config, life, log, metrics } = parts;
    const { api: definition, readiness } = open(parts);
    const {
      HOST: host,
      PORT,
      TRUST_PROXY: trustProxy,
      CORS_ORIGINS: corsOrigins,
      STREAMS_MAX: streamsMax,
    } = config;
    const api = createApi({ ...definition, log, metrics, trustProxy, corsOrigins, streamsMax });
    life.onStop(() => api.close());
    return { checks: readiness, facts: { host, port: await api.listen({ host, port: PORT }) } };
  });
}
