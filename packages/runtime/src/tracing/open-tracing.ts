import type { Log } from '../log/log.ts';
import { ConfigError } from '../settings/config.ts';
import { NO_TRACING, type Tracing } from './tracing.ts';
import type { TracingSettings } from './tracing-settings.ts';

/**
 * Traces as the settings want them. OpenTelemetry is loaded where they go somewhere, and by nobody else.
 *
 * @throws {ConfigError} for an address or headers that cannot be sent to.
 */
export async function openTracing(service: string, settings: TracingSettings, log: Log): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  if (endpoint === undefined) return NO_TRACING;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address without a password');
  }
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  const headers = readHeaders(settings.OTEL_EXPORTER_OTLP_HEADERS);
  const { createTracing } = await import('./open-telemetry.ts');
  const believesParents = settings.OTEL_TRACES_SAMPLER === 'parentbased_traceidratio';
  return createTracing({ service, url: url.href, headers, ratio, believesParents, log });
}

/** `name=value,…`, as in W3C Baggage without its properties. */
function readHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(pairs.map(readHeader));
}

function readHeader(pair: string): [string, string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(at, 0)).trim();
  const value = decoded(pair.slice(at + 1).trim());
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || value === undefined || !/^[\x20-\x7e]+$/.test(value)) {
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be `name=value`, with commas');
  }
  return [name, value];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
