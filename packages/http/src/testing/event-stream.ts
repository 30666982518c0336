import { request, type IncomingMessage } from 'node:http';

interface StreamEvent {
  event: string;
  data: Record<string, unknown>;
  /** The last id that was received, with this event or before it. */
  lastId: string | undefined;
}

export type EventStream = ReturnType<typeof streamOf>;

/** Opens a stream; resolves when its headers have arrived. */
export function openEvents(url: string, headers: Record<string, string>): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false }, (answer) => {
      const stream = streamOf(answer, () => asked.destroy());
      let rest = '';
      answer.setEncoding('utf8').on('data', (text: string) => {
        stream.text += text;
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) readBlock(stream, block);
      });
      answer.on('error', () => {}).on('close', () => (stream.isOver = true));
      resolve(stream);
    });
    asked.on('error', reject).end();
  });
}

function streamOf({ statusCode: status = 0, headers }: IncomingMessage, close: () => unknown) {
  return {
    status,
    headers,
    close,
    events: [] as StreamEvent[],
    comments: 0,
    lastId: undefined as string | undefined,
    /** The milliseconds to wait before reconnecting, if the server sent them. */
    retry: undefined as number | undefined,
    /** The body, if the response is not a stream. */
    text: '',
    isOver: false,
  };
}

function readBlock(stream: EventStream, block: string): void {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon === 0) stream.comments += 1;
    else fields[line.slice(0, colon)] = line.slice(colon + 1).trim();
  }
  stream.lastId = fields['id'] ?? stream.lastId;
  if (fields['retry'] !== undefined) stream.retry = Number(fields['retry']);
  if (fields['data'] === undefined) return;
  const data = JSON.parse(fields['data']) as Record<string, unknown>; // what our streams send are objects
  stream.events.push({ event: fields['event'] ?? 'message', data, lastId: stream.lastId });
}
