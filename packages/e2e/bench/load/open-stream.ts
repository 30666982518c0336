import { request } from 'node:http';

/** An event stream of the user's own session. */
export interface OpenStream {
  /** When it reported that the session has ended, as `performance.now()`. */
  endedAt: number | undefined;
  isOver: boolean;
  close(): void;
}

/** Opens a stream on a separate connection. Resolves when it has reported the state of the session. */
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
