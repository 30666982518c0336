import { ago, DAY, HOUR, MINUTE, type DemoWorld } from './demo-world.ts';
import { bytea, type Row } from './insert-rows.ts';

/** The rows of `api_token`. The tokens themselves do not exist: only hashes are generated. */
export function inventTokens(world: DemoWorld, adminId: string): Row[] {
  const { random, now } = world;
  const token = (name: string, days: number, own: Row): Row => {
    const createdAt = ago(world, days * DAY);
    return {
      id: random.idAt(createdAt),
      name,
      prefix: `sat_${random.bytes(4).toString('hex')}`,
      token_hash: bytea(random.bytes(32)),
      role: 'Service',
      created_at: createdAt,
      created_by: adminId,
      last_used_at: ago(world, random.whole(1, 50) * MINUTE),
      revoked_at: null,
      expires_at: null,
      networks: null,
      last_used_ip: '198.51.100.7',
      replaced_by: null,
      ...own,
    };
  };
  const renewed = token('Billing', 20, {});
  return [
    renewed,
    token('Billing', 310, {
      replaced_by: renewed['id'],
      last_used_at: ago(world, 19 * DAY),
      expires_at: ago(world, 19 * DAY),
    }),
    token('Recognition pipeline', 140, {
      networks: ['192.0.2.0/24', '2001:db8:7::/48'],
      last_used_ip: '192.0.2.41',
    }),
    token('Monitoring', 95, { expires_at: new Date(now.getTime() + 12 * DAY) }),
    token('Reports', 60, { last_used_at: null, last_used_ip: null }),
    token('Shop API', 45, { role: 'Feed' }),
    token('Import of the old system', 200, {
      role: 'Admin',
      last_used_at: ago(world, 170 * DAY),
      last_used_ip: '203.0.113.80',
      revoked_at: ago(world, 169 * DAY + 3 * HOUR),
    }),
  ];
}
