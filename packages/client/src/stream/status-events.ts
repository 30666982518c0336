import type { ReplacedBy } from '../api/api-types.ts';
import type { ClientErrorCode } from '../api/gatehouse-error.ts';

/** A status of the session, as sent by the stream (docs/session-streams.md). */
export interface StreamedStatus {
  PingStatus: number;
  /** Only if the session is over. */
  Reason?: ClientErrorCode;
  ReplacedBy?: ReplacedBy;
}

/** A part of the stream: a status, when to reconnect, or only a sign of life. */
export interface StreamPart {
  status?: StreamedStatus | undefined;
  retryMs?: number | undefined;
}

/** The maximum length of a part. Gatehouse's own have a few hundred characters. */
const LENGTH_MAX = 65_536;

/** Reads server-sent events (HTML, section "Server-sent events") to the end of the stream. */
export async function readStatusEvents(
  body: ReadableStream<Uint8Array>,
  hear: (part: StreamPart) => void,
): Promise<void> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const parts = rest.split(/\r?\n\r?\n/);
    rest = parts.pop() ?? '';
    if (rest.length > LENGTH_MAX) throw new TypeError('the stream is none of events');
    for (const part of parts) hear(readPart(part));
  }
}

function readPart(text: string): StreamPart {
  const fields = new Map(
    text.split(/\r?\n/).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    }),
  );
  const data = fields.get('event') === 'status' ? fields.get('data') : undefined;
  return {
    status: data === undefined ? undefined : (JSON.parse(data) as StreamedStatus), // as documented
    retryMs: Number(fields.get('retry')) || undefined,
  };
}
