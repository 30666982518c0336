import { Enum, Optional, Type, type Static, type TObject } from '@gatehouse/schema';
import { ConfigError, optionalSecret } from '../settings/config.ts';
import type { Log } from '../log/log.ts';
import { NO_TRACING, type Tracing } from './tracing.ts';

/** Where traces go, and which; named as by OpenTelemetry. */
export function tracingSettings() {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: Optional.String({
      pattern: /^https?:\/\/[^\s/]/.source,
      description:
        'Where traces are sent to (OTLP over HTTP, at `/v1/traces` below it); without it there are none',
    }),
    OTEL_EXPORTER_OTLP_HEADERS: optionalSecret(
      'headers for it: `name=value`, with commas, values percent-encoded',
    ),
    OTEL_TRACES_SAMPLER: Enum(['traceidratio', 'parentbased_traceidratio'], {
      default: 'traceidratio',
      description:
        'Which traces are recorded: a random share, or also what the sender of `traceparent` records',
    }),
    OTEL_TRACES_SAMPLER_ARG: Type.Number({
      default: 1,
      minimum: 0,
      maximum: 1,
      description: 'The share of traces that are recorded: 0.01 is one in a hundred',
    }),
  };
}

export type TracingSettings = Readonly<Static<TObject<ReturnType<typeof tracingSettings>>>>;

/** OpenTelemetry is loaded only if traces go somewhere. @throws {ConfigError} for unusable addresses and headers. */
export async function openTracing(service: string, settings: TracingSettings, log: Log): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  if (endpoint === undefined) return NO_TRACING;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '')
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address without a password');
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
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || value === undefined || !/^[\x20-\x7e]+$/.test(value))
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be `name=value`, with commas');
  return [name, value];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
