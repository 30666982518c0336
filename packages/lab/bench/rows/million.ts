import { query } from '@gatehouse/db';
import { withDb } from '../../database.ts';
import { inTurn, median, whole } from '../compare.ts';
import { fill } from '../fill.ts';
import type { Target } from '../load.ts';
import type { Bench, Row } from '../row.ts';
import { bearerOf, logIn, readMetric } from '../system.ts';

const FEW = 1000;
const PAGE = '/admin/user-session?limit=50';
const USERS = 200;
const MEMBERS = 50;
/** Few enough that requests do not wait for each other. */
const CONNECTIONS = 2;
/** Short, because there are twelve values to measure. */
const SECONDS_MAX = 1;

export const million: Row = {
  name: 'million',
  async measure(bench) {
    const few = await filled(bench, FEW);
    const many = await filled(bench, bench.sizes.sessions);
    const pairs = Object.entries(few).flatMap(([name, target]) => [target, many[name] ?? target]);
    const sizes = { ...bench.sizes, seconds: Math.min(SECONDS_MAX, bench.sizes.seconds) };
    const found = await inTurn({ ...bench, sizes }, pairs, { connections: CONNECTIONS });
    const each = Object.entries(few).map(([name, target]) => {
      const [small, large] = [found.get(target) ?? [], found.get(many[name] ?? target) ?? []];
      const ratio = median(
        large.map((round, at) => round.p50Milliseconds / (small[at]?.p50Milliseconds ?? Number.NaN)),
      );
      return { name, ratio };
    });
    const detail = each.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`).join(', ');
    const value = Math.max(...each.map(({ ratio }) => ratio));
    const title = `the call that slows down most, at ${whole(bench.sizes.sessions)} accounts and sessions : at ${whole(FEW)}`;
    return [{ id: 'million', title, value, unit: '×', detail }];
  },
};

/** A system with this many accounts and sessions, as targets by name. */
async function filled(bench: Bench, sessions: number): Promise<Record<string, Target>> {
  // The lowest cost: an expensive hash would hide the time of the database.
  const system = await bench.ownSystem({ bcryptCost: 4, users: USERS, others: USERS });
  const { stack, databaseUrl, metricsUrls, users } = system;
  const thousandth = await fill(databaseUrl, sessions, (done) => {
    bench.signal.throwIfAborted();
    if (done > FEW) bench.say(`  … ${whole(done)} of ${whole(sessions)} sessions`);
  });
  const { urls, admin, seed } = stack.facts;
  const members = users.slice(0, MEMBERS).map(({ email }) => email);
  await withDb(databaseUrl, (db) => query(db, ADD_MEMBERS, [seed.contentDefinitionId, members]));
  const [administrator] = await logIn(urls.core, [admin.Email], bench.signal, admin.Password);
  if (administrator === undefined) throw new Error('no administrator is logged in');
  const { ping, login, refresh } = system.core;
  const list = (name: string, api: 'admin' | 'portal', path: string): Target => ({
    name,
    url: urls[api],
    requests: [{ method: 'GET', path, headers: bearerOf(administrator) }],
    cpuSeconds: () => readMetric(metricsUrls[api], 'process_cpu_seconds_total'),
  });
  // In the format of Admin's cursors: otherwise one would have to read all pages before it.
  const cursor = Buffer.from(JSON.stringify({ UserSessionId: thousandth })).toString('base64url');
  const targets = {
    ...{ login, ping, refresh },
    'first page': list('Admin, first page of sessions', 'admin', PAGE),
    'thousandth page': list('Admin, thousandth page of sessions', 'admin', `${PAGE}&cursor=${cursor}`),
    'live channel': list('Portal, live channel', 'portal', `/user-session/${seed.contentDefinitionId}`),
  };
  const named = (target: Target) => ({ ...target, name: `${target.name} at ${whole(sessions)}` });
  return Object.fromEntries(Object.entries(targets).map(([key, target]) => [key, named(target)]));
}

const ADD_MEMBERS = `
  insert into content_access (content_definition_id, account_id, invited_email)
  select ?, id, email from account where email = any(?)`;
