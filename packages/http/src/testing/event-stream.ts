import { request } from 'node:http';

/** An event of a stream, as a client parses it. */
interface StreamEvent {
  event: string;
  data: Record<string, unknown>;
  /** The last id that was received, with this event or before it. */
  lastId: string | undefined;
}

/** A client of server-sent events: what it has received so far. */
export interface EventStream {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  events: StreamEvent[];
  /** The number of comments received. */
  comments: number;
  lastId: string | undefined;
  /** The milliseconds to wait before reconnecting, if the server sent them. */
  retry: number | undefined;
  /** The body, if the response is not a stream. */
  text: string;
  isOver: boolean;
  close(): void;
}

/** Opens a stream; resolves when its headers have arrived. */
export function openEvents(url: string, headers: Record<string, string>): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false }, (answer) => {
      const stream: EventStream = {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        ...{ events: [], comments: 0, lastId: undefined, retry: undefined, text: '', isOver: false },
        close: () => asked.destroy(),
      };
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
