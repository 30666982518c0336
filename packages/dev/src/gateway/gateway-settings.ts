import { addressRanges, ConfigError, readConfig, setting } from '@gatehouse/runtime';
import { Enum, Type } from '@gatehouse/schema';
import { StackError } from '../command.ts';

/** `CORS_ORIGINS` of a local stack: pages of apps in development may call. */
export const LOOPBACK_ORIGINS = 'http://localhost:*,http://127.0.0.1:*';

/** The environment variables of the gateway, also used in its Docker image. */
export const gatewaySettings = Type.Object({
  GATEWAY_TRUSTED_PROXIES: setting(
    '',
    'Addresses or CIDR ranges, with commas, of the proxies in front of the gateway whose X-Forwarded-For is trusted',
  ),
  PUBLIC_DOCS: Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether the gateway serves /docs and /openapi.json, at both addresses',
  }),
  GATEWAY_WORKERS: Type.String({
    pattern: /^(auto|[1-9]\d{0,2})$/.source,
    default: 'auto',
    description: 'How many worker processes nginx has; auto: one for each processor of the machine',
  }),
  CONNECTIONS_PER_ADDRESS: Type.String({
    pattern: /^[1-9]\d{0,4}$/.source,
    default: '1000',
    description: 'Concurrent requests of one client address (IPv6: /64); beyond that 429',
  }),
  CORS_ORIGINS: setting('', 'Origins, with commas, whose pages may read the gateway’s own responses'),
});

/**
 * The gateway's settings, by the names in its template.
 *
 * @throws {StackError} naming the invalid setting.
 */
export function gatewayValues(environment: NodeJS.ProcessEnv): Record<string, string> {
  try {
    const read = readConfig(gatewaySettings, environment);
    const ranges = addressRanges('GATEWAY_TRUSTED_PROXIES', read.GATEWAY_TRUSTED_PROXIES);
    return {
      GATEWAY_REAL_IP: ranges
        .map(({ address, prefix }) => `set_real_ip_from ${address}/${prefix};`)
        .join(' '),
      GATEWAY_WORKERS: read.GATEWAY_WORKERS,
      CONNECTIONS_PER_ADDRESS: read.CONNECTIONS_PER_ADDRESS,
      CORS_ORIGINS: read.CORS_ORIGINS,
      PUBLIC_DOCS: read.PUBLIC_DOCS,
    };
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new StackError(cause.message, 'docs/configuration.md describes each setting.', {
      cause,
    });
  }
}

/** The address that people's ports are bound to: only this machine reaches them by default. */
export function bindAddressOf(settings: NodeJS.ProcessEnv): string {
  const given = settings['BIND_ADDRESS'] ?? '';
  return given === '' ? '127.0.0.1' : given;
}
