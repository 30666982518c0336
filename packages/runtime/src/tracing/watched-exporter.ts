import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../log/log.ts';
import { faultOf } from './tracing.ts';

/** An exporter whose outage is in the log: one line at its begin and one at its end. */
export function watched(exporter: SpanExporter, log: Log): SpanExporter {
  let isDown = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isDown) {
          // Its message may quote what the receiver answered.
          log.warn('failed to export traces, discarding them', { reason: faultOf(result.error) });
        } else if (!hasFailed && isDown) log.info('traces are exported again');
        isDown = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
