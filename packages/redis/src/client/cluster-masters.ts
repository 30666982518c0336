import type { Redis } from './redis.ts';
import { SLOTS } from './slots.ts';

/** The slots from `from` to `to`, both inclusive, and their master. */
export interface SlotRange {
  from: number;
  to: number;
  host: string;
  port: number;
}

/** The masters of a cluster, with a connection to each, and the slots of each. */
export function createMasters(connect: (host: string, port: number) => Redis) {
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
