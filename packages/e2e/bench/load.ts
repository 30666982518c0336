import autocannon from 'autocannon';

/** A server under load, by what is asked of it. */
export interface Target {
  name: string;
  url: string;
  /** Shared out among the connections, each of which sends its share again and again. */
  requests: autocannon.Request[];
  /** CPU seconds that the server's process has used since its start. */
  cpuSeconds: () => Promise<number>;
}

/** What one round showed. */
export interface Round {
  requestsPerSecond: number;
  cpuMicrosecondsPerRequest: number;
}

const CONNECTIONS = 32;

/**
 * Loads the server from this process for so many seconds.
 *
 * @throws {Error} for any answer but 200: a server that refuses is fast, but that is not what is measured.
 */
export async function load(target: Target, seconds: number, signal: AbortSignal): Promise<Round> {
  signal.throwIfAborted();
  const { url, requests, cpuSeconds } = target;
  let connection = 0;
  const cpuBefore = await cpuSeconds();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections: CONNECTIONS,
        duration: seconds,
        // Each connection has its share: making all requests for each would take a good part of the round.
        setupClient: (client) => {
          const turn = connection++ % CONNECTIONS;
          const share = requests.filter((_request, index) => index % CONNECTIONS === turn);
          client.setRequests(share.length > 0 ? share : requests);
        },
      },
      (error: Error | null, value) => (error === null ? resolve(value) : reject(error)),
    );
    signal.addEventListener('abort', () => run.stop(), { once: true });
  });
  signal.throwIfAborted();
  const cpu = (await cpuSeconds()) - cpuBefore;
  const good = requireGood(target.name, result);
  return {
    requestsPerSecond: (good * 1000) / (result.finish.getTime() - result.start.getTime()),
    cpuMicrosecondsPerRequest: (cpu * 1e6) / good,
  };
}

/** How many requests were answered, when every one was answered with 200. */
function requireGood(name: string, result: autocannon.Result): number {
  const { statusCodeStats = {}, errors, timeouts } = result;
  const good = statusCodeStats['200']?.count ?? 0;
  const statuses = Object.keys(statusCodeStats);
  if (errors + timeouts === 0 && statuses.length === 1 && good > 0) return good;
  const facts = JSON.stringify({ statuses: statusCodeStats, errors, timeouts });
  throw new Error(`${name} did not answer every request with 200: ${facts}`);
}
