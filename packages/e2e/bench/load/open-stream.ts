import { request } from 'node:http';

/** An event stream of one's own session. */
export interface OpenStream {
  /** When it said that the session is over, by `performance.now()`. */
  endedAt: number | undefined;
  isOver: boolean;
  close(): void;
}

/** Opens a stream on a connection of its own; resolves once it has said how the session stands. */
export function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/account/session/stream`, { headers, agent: false }, (answer) => {
      const stream: OpenStream = { endedAt: undefined, isOver: false, close: () => asked.destroy() };
      if (answer.statusCode !== 200) reject(new Error(`a stream was answered ${answer.statusCode}`));
      answer.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"Reason"')) stream.endedAt = performance.now();
        resolve(stream);
      });
      answer.on('error', () => {}).on('close', () => (stream.isOver = true));
    });
    asked.on('error', reject).end();
  });
}
