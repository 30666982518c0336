import { request, type IncomingHttpHeaders } from 'node:http';

/** The result of a call; status 0 if the connection broke. */
export interface Outcome {
  name: string;
  status: number;
  body: Record<string, unknown>;
}

const GIVE_UP_MS = 15_000;

/** Sends a request over a separate connection, so that the gateway's handling of idle connections cannot break it. */
export function oneCall(
  name: string,
  url: string,
  options: { body?: object; token?: string } = {},
): Promise<Outcome> {
  const { body, token } = options;
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const fail = (): void => resolve({ name, status: 0, body: {} });
    const headers = {
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const sent = request(url, { method: text === undefined ? 'GET' : 'POST', headers, agent: false });
    sent.setTimeout(GIVE_UP_MS, () => sent.destroy());
    sent.on('error', fail);
    sent.on('response', (response) => {
      let answer = '';
      response.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      response.on('error', fail);
      response.on('end', () =>
        resolve({ name, status: response.statusCode ?? 0, body: parse(answer, response.headers) }),
      );
    });
    sent.end(text);
  });
}

function parse(answer: string, headers: IncomingHttpHeaders): Record<string, unknown> {
  const isJson = headers['content-type']?.includes('json') === true;
  return isJson ? (JSON.parse(answer) as Record<string, unknown>) : {}; // all our JSON bodies are objects
}
