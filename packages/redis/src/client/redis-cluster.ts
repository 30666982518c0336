import { ConfigError, type Log } from '@gatehouse/runtime';
import { connectRedis, singleServer, type Redis, type RedisServers } from './redis.ts';

const REFRESH_MS = 1000;
/** While slots move, servers redirect thousands of commands: the slots are queried at most ten times a second. */
const MOVED_MS = 100;
const SEED_MS = 2000;

/**
 * Opens Redis by its URL, or a cluster by those of some nodes, with commas; user, password and TLS of the first apply
 * to all.
 *
 * @throws {Error} for several URLs without a cluster. @throws {ConfigError} for parameters but `family`, or other TLS.
 */
export function openRedis(options: {
  urls: string;
  isCluster: boolean;
  /** The CA certificates that may sign the servers' certificates, as PEM; by default, those that Node trusts. */
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

/** Parameters of the URL override the options of ioredis: `?tls=` alone would disable TLS. */
function refuseOwnSettings(text: string, first: string): void {
  if (text.startsWith('rediss:') !== first.startsWith('rediss:'))
    throw new ConfigError('REDIS_URL must ask for TLS (rediss:) of every node, or of none');
  const [, search = ''] = text.split('?');
  for (const name of new URLSearchParams(search).keys()) {
    if (name !== 'family')
      throw new ConfigError(`REDIS_URL must not have ${name}: that is settled elsewhere`);
  }
}

/**
 * The masters of a cluster, each with a connection like that to a single Redis. Moved keys (`MOVED`, `ASK`) are
 * reported to callers and not followed, because cached sessions must not be read under another server’s fence. The
 * slots are queried every second, and whenever a server is lost or reports a moved key.
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
      const { message } = error as Error; // ioredis rejects only with errors
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

/** Asks another node each time, so that one that is cut off is not relied on for long. */
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
        return await readSlots(node);
      } catch (error) {
        log.debug('failed to get cluster slots from a redis node', { error });
      }
    }
    return readSlotsFrom({ url: seeds[turn++ % seeds.length] ?? '', ca, log });
  };
}

async function readSlotsFrom(at: { url: string; ca: string | undefined; log: Log }): Promise<SlotRange[]> {
  const seed = connectRedis(at);
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new Error('a node that REDIS_URL names does not answer'));
      timer = setTimeout(fail, SEED_MS);
      seed.once('ready', resolve).once('close', fail);
    });
    return await readSlots(seed);
  } finally {
    clearTimeout(timer);
    seed.disconnect();
  }
}

async function readSlots(node: Redis): Promise<SlotRange[]> {
  const ranges = await node.cluster('SLOTS');
  if (ranges.length === 0) throw new Error('the cluster has no slots yet');
  return ranges.flatMap(([from, to, master]) => {
    if (master === undefined) return [];
    const [host, port]: [string | null, number, ...unknown[]] = master;
    // If a node does not know its own address, it is the address at which it was queried.
    const isUnknown = host === null || host === '' || host === '?';
    return [{ from, to, port, host: isUnknown ? (node.options.host ?? '') : host }];
  });
}

/** The slots from `from` to `to`, both inclusive, and their master. */
export interface SlotRange {
  from: number;
  to: number;
  host: string;
  port: number;
}

/** The masters of a cluster, with a connection to each, and the slots of each. */
function createMasters(connect: (host: string, port: number) => Redis) {
  const nodes = new Map<string, Redis>();
  const listeners: { joined: (server: Redis) => void; left: (server: Redis) => void }[] = [];
  let bySlot: (Redis | undefined)[] = [];

  function join(address: string, host: string, port: number): Redis {
    const node = connect(host, port);
    nodes.set(address, node);
    for (const { joined } of listeners) joined(node);
    return node;
  }

  return {
    all: () => [...nodes.values()],
    ofSlot: (slot: number) => bySlot[slot],
    haveEverySlot: () => bySlot.length > 0 && !bySlot.includes(undefined),

    /** Connects to new masters, and disconnects from those without any slot left. */
    adopt(ranges: readonly SlotRange[]): void {
      const next: (Redis | undefined)[] = Array.from({ length: SLOTS });
      const named = new Set<string>();
      for (const { from, to, host, port } of ranges) {
        const address = `${host}:${port}`;
        named.add(address);
        next.fill(nodes.get(address) ?? join(address, host, port), from, to + 1);
      }
      bySlot = next;
      for (const [address, node] of nodes) {
        if (named.has(address)) continue;
        nodes.delete(address);
        node.disconnect();
        // ioredis emits `end` for an open connection, but not for one that it was about to reopen.
        for (const { left } of listeners) left(node);
      }
    },

    onChange(joined: (server: Redis) => void, left: (server: Redis) => void): void {
      listeners.push({ joined, left });
      for (const node of nodes.values()) joined(node);
    },
  };
}

const SLOTS = 16_384;

/** The slot of keys with this hash tag: CRC-16/XMODEM modulo the number of slots (Redis Cluster specification). */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc = ((crc << 8) & 0xffff) ^ (REMAINDERS[((crc >> 8) ^ byte) & 0xff] ?? 0);
  }
  return crc % SLOTS;
}

/** The CRC remainder for each value of a byte. */
const REMAINDERS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});
