import { ConfigError, type Log } from '@gatehouse/runtime';
import { createMasters, type SlotRange } from './cluster-masters.ts';
import { connectRedis, singleServer, type Redis, type RedisServers } from './redis.ts';
import { slotOf } from './slots.ts';

const REFRESH_MS = 1000;
/**
 * While slots move, servers redirect thousands of commands: the cluster is asked for its slots ten times a second at
 * most.
 */
const MOVED_MS = 100;
const SEED_MS = 2000;

/**
 * Opens Redis by its URL, or a cluster by the URLs of some of its nodes, separated by commas. User, password and TLS
 * of the first URL count for every node.
 *
 * @throws {Error} for several URLs without a cluster.
 * @throws {ConfigError} when a URL has parameters, or its TLS differs from the first one’s.
 */
export function openRedis(options: {
  urls: string;
  isCluster: boolean;
  /** Who may sign the servers' certificates, as PEM; without it the authorities that Node trusts. */
  ca?: string | undefined;
  log: Log;
}): RedisServers {
  const { isCluster, ca, log } = options;
  const urls = options.urls.split(',').map((url) => url.trim());
  const [url = ''] = urls;
  for (const one of urls) refuseOwnSettings(one, url);
  if (isCluster) return openCluster(urls, ca, log);
  if (urls.length > 1) throw new Error('REDIS_URL names several servers, but REDIS_CLUSTER is not true');
  return singleServer(connectRedis({ url, ca, log }));
}

/** ioredis prefers parameters of the URL to its options: `?tls=` alone would switch TLS off. */
function refuseOwnSettings(text: string, first: string): void {
  if (text.startsWith('rediss:') !== first.startsWith('rediss:')) {
    throw new ConfigError('REDIS_URL must ask for TLS (rediss:) of every node, or of none');
  }
  const [, search = ''] = text.split('?');
  for (const name of new URLSearchParams(search).keys()) {
    if (name !== 'family')
      throw new ConfigError(`REDIS_URL must not have ${name}: that is settled elsewhere`);
  }
}

/**
 * The masters of a cluster, each over a connection like that to a single Redis. Moved keys (`MOVED`, `ASK`) are
 * reported to callers and not followed, as cached sessions must not be read under another server’s fence. The slots
 * are read every second, and whenever a server is lost or reports a moved key.
 */
function openCluster(seeds: string[], ca: string | undefined, log: Log): RedisServers {
  const connectTo = (host: string, port: number): Redis => {
    const url = new URL(seeds[0] ?? '');
    url.host = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const node = connectRedis({ url: url.href, ca, log });
    node.on('close', () => void refresh());
    return node;
  };
  const masters = createMasters(connectTo);
  const askAnyone = createSlotRequest({ masters, seeds, ca, log });
  let timer: NodeJS.Timeout | undefined;
  let refreshing = false;
  let closed = false;
  let lastMessage = '';
  let askedAt = -Infinity;

  async function refresh(): Promise<void> {
    if (refreshing || closed) return;
    refreshing = true;
    askedAt = performance.now();
    clearTimeout(timer);
    try {
      const ranges = await askAnyone();
      if (!closed) masters.adopt(ranges);
      lastMessage = '';
    } catch (error) {
      const { message } = error as Error; // ioredis rejects with errors alone
      if (message !== lastMessage) log.warn('failed to discover the slots of the redis cluster', { error });
      lastMessage = message;
    } finally {
      refreshing = false;
      if (!closed) timer = setTimeout(() => void refresh(), REFRESH_MS);
    }
  }

  function refreshAfterMove(): void {
    if (refreshing || closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), Math.max(0, askedAt + MOVED_MS - performance.now()));
  }

  void refresh();
  return {
    isCluster: true,
    serverOf: (tag) => masters.ofSlot(slotOf(tag)),
    onServer: masters.onChange,
    refresh: refreshAfterMove,
    async ping(): Promise<void> {
      if (!masters.haveEverySlot()) throw new Error('slots without a server');
      await Promise.all(masters.all().map((node) => node.ping()));
    },
    disconnect(): void {
      closed = true;
      clearTimeout(timer);
      for (const node of masters.all()) node.disconnect();
    },
  };
}

/** Asks a different node for the slots each time: one that is cut off from the others is not believed for long. */
function createSlotRequest(options: {
  masters: Pick<ReturnType<typeof createMasters>, 'all'>;
  seeds: readonly string[];
  ca: string | undefined;
  log: Log;
}): () => Promise<SlotRange[]> {
  const { masters, seeds, ca, log } = options;
  let turn = 0;
  return async () => {
    const ready = masters.all().filter((node) => node.status === 'ready');
    for (let tried = 0; tried < ready.length; tried++) {
      const node = ready[turn++ % ready.length];
      if (node === undefined) continue;
      try {
        return await askForSlots(node);
      } catch (error) {
        log.debug('failed to get cluster slots from a redis node', { error });
      }
    }
    return askSeed({ url: seeds[turn++ % seeds.length] ?? '', ca, log });
  };
}

async function askSeed(at: { url: string; ca: string | undefined; log: Log }): Promise<SlotRange[]> {
  const seed = connectRedis(at);
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new Error('a node that REDIS_URL names does not answer'));
      timer = setTimeout(fail, SEED_MS);
      seed.once('ready', resolve).once('close', fail);
    });
    return await askForSlots(seed);
  } finally {
    clearTimeout(timer);
    seed.disconnect();
  }
}

async function askForSlots(node: Redis): Promise<SlotRange[]> {
  const ranges = await node.cluster('SLOTS');
  if (ranges.length === 0) throw new Error('the cluster has no slots yet');
  return ranges.flatMap(([from, to, master]) => {
    if (master === undefined) return [];
    const [host, port]: [string | null, number, ...unknown[]] = master;
    // A node that does not know its own address means the address at which it was asked.
    const isUnknown = host === null || host === '' || host === '?';
    return [{ from, to, port, host: isUnknown ? (node.options.host ?? '') : host }];
  });
}
