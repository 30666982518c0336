import { Enum, Type, type Static, type TObject } from '@gatehouse/schema';
import { optionalSecret } from '../settings/config.ts';

/** Where traces go, and which; named as by OpenTelemetry. */
export function tracingSettings() {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
      Type.String({
        pattern: /^https?:\/\/[^\s/]/.source,
        description:
          'Where traces are sent to (OTLP over HTTP, at `/v1/traces` below it); without it there are none',
      }),
    ),
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
