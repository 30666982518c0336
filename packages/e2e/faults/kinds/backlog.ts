import assert from 'node:assert/strict';
import { connectDb, query, type Db } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import type { FaultWorld } from '../fault-world.ts';
import { runRabbitmqctl } from '../servers.ts';
import { pause, type Stage } from '../run-fault.ts';

const SECONDS = 6;
const TURNS_PER_SECOND = 10;
/** The load: three hundred events per second, large enough that storing them in memory would be visible. */
const EVENTS_PER_TURN = 30;
const EVENT_BYTES = 50_000;
/**
 * The maximum number of events that the three relays may have taken: for each, its batch and the previous batch, which
 * has just failed.
 */
const TAKEN_MAX = 3 * 2 * 100;
/** The maximum growth of buffers, including garbage. A relay that took everything at once would grow by about 150. */
const GROWTH_MIB_MAX = 80;
/** When RabbitMQ accepts events again, some must be published within every such period until none is left. */
const PROGRESS_SECONDS = 10;

const FAULTS: Record<string, { begin(world: FaultWorld): unknown; end(world: FaultWorld): unknown }> = {
  'blocks publishers by a memory alarm': {
    begin: (world) => runRabbitmqctl(world, 'set_vm_memory_high_watermark', '0.00001'),
    end: (world) => runRabbitmqctl(world, 'set_vm_memory_high_watermark', '0.8'),
  },
  'is a black hole': {
    begin: (world) => world.proxies.rabbitmq.blackHole(),
    end: (world) => world.proxies.rabbitmq.heal(),
  },
};

/** Events that cannot be published wait in Postgres, not in the memory of a service. */
export function staysFlat(given: () => Stage, sample?: RegExp): void {
  for (const [name, fault] of Object.entries(FAULTS)) {
    if (sample?.test(`RabbitMQ ${name}`) === false) continue;
    it(`does not queue messages in memory while RabbitMQ ${name}`, async () => {
      const { world } = given();
      const db = connectDb({ url: world.stack.facts.databaseUrl, applicationName: 'faults', poolMax: 2 });
      const seen = await startLooking(world, db);
      try {
        await fault.begin(world);
        await fill(db);
        const waiting = await countOf(db, 'true');
        await fault.end(world);
        await runsDry(db);
        const { taken, growthMib } = await seen.stop();
        assert.ok(waiting > (SECONDS * TURNS_PER_SECOND * EVENTS_PER_TURN) / 2, `${waiting} waited`);
        assert.ok(taken <= TAKEN_MAX, `${taken} were taken at once`);
        assert.ok(growthMib < GROWTH_MIB_MAX, `a service grew by ${growthMib} MiB`);
      } finally {
        await seen.stop();
        await fault.end(world);
        await db.destroy();
      }
    });
  }
}

async function fill(db: Db): Promise<void> {
  for (let turn = 0; turn < SECONDS * TURNS_PER_SECOND; turn += 1) {
    await Promise.all([addEvents(db), pause(1000 / TURNS_PER_SECOND)]);
  }
}

async function runsDry(db: Db): Promise<void> {
  for (let left = Infinity; left > 0;) {
    const before = left;
    left = (
      await eventually(async () => {
        const count = await countOf(db, 'true');
        return count < before && { count };
      }, PROGRESS_SECONDS)
    ).count;
  }
}

/** Samples repeatedly how many events relays have taken, and how much memory services use. */
async function startLooking(
  world: FaultWorld,
  db: Db,
): Promise<{ stop(): Promise<{ taken: number; growthMib: number }> }> {
  const before = await buffersOf(world);
  const most = { taken: 0, growthMib: 0 };
  let isOver = false;
  const repeat = async (pauseMs: number, look: () => Promise<void>): Promise<void> => {
    for (; !isOver; await pause(pauseMs)) await look();
  };
  const looks = Promise.all([
    repeat(30, async () => {
      most.taken = Math.max(most.taken, await countOf(db, 'publish_after > now()'));
    }),
    repeat(500, async () => {
      const after = await buffersOf(world);
      const growths = after.map((bytes, index) => (bytes - (before[index] ?? 0)) / 1024 / 1024);
      most.growthMib = Math.max(most.growthMib, ...growths);
    }),
  ]);
  return {
    stop: async () => {
      isOver = true;
      await looks;
      return most;
    },
  };
}

async function addEvents(db: Db): Promise<void> {
  await query(
    db,
    `insert into outbox (id, type, event)
     select id, 'account.registered', jsonb_build_object('id', id, 'type', 'account.registered',
       'data', jsonb_build_object('UserId', id, 'Ballast', repeat('x', ?)))
     from (select gen_random_uuid() as id from generate_series(1, ?)) as made`,
    [EVENT_BYTES, EVENTS_PER_TURN],
  );
}

async function countOf(db: Db, condition: 'true' | 'publish_after > now()'): Promise<number> {
  const [row] = await query<{ count: number }>(
    db,
    `select count(*)::int as count
     from outbox
     where type = 'account.registered'
       and ${condition}`,
  );
  return row?.count ?? 0;
}

/** The size of each service's buffers in bytes. Data that a connection cannot send is stored there. */
async function buffersOf({ healthUrls }: FaultWorld): Promise<number[]> {
  return Promise.all(
    Object.values(healthUrls).map(async (url) => {
      const metrics = await (await fetch(url.replace('/health/ready', '/metrics'))).text();
      return Number(/^nodejs_external_memory_bytes\{[^}]*\} (\d+)/m.exec(metrics)?.[1]);
    }),
  );
}
