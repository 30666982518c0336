import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { PATH, problem, useSessions } from './testing.ts';

const HOUR_MS = 3_600_000;

describe('the filters of sessions', () => {
  const at = useSessions({ SINGLE_SESSION: false });

  const ids = (filter: Record<string, string>) =>
    at.boss.ids(`${PATH}?${new URLSearchParams({ limit: '200', ...filter }).toString()}`);
  /** The ids that a change with the same filter would affect. */
  const meant = async (Filter: object): Promise<string[]> =>
    (await at.change({ Filter, Status: 4, DryRun: true }).expect(200)).body.Ids;
  const bothWays = async (filter: Record<string, string>): Promise<string[]> => {
    const inBody = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
    const named = Object.fromEntries(Object.entries(filter).map(([name, value]) => [inBody(name), value]));
    const listed = await ids(filter);
    assert.deepEqual(await meant(named), listed, JSON.stringify(filter));
    return listed;
  };
  const session = async (given: Parameters<typeof at.login>[1] = {}) =>
    (await at.login(await at.member(), given)).sessionId;
  /** Makes a session this many milliseconds old, and last seen this long ago. */
  const age = async (id: string, created: number, seen = created): Promise<string> => {
    const time = (Date.now() - created).toString(16).padStart(12, '0');
    const older = `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
    const statement = `update user_session set id = ?, created_at = now() - make_interval(secs => ?),
         last_seen_at = now() - make_interval(secs => ?) where id = ?`;
    await at.sql(statement, [older, created / 1000, seen / 1000, id]);
    return older;
  };

  const end = (id: string, status: number, reason: string, hoursAgo = 0) => {
    const statement = `update user_session set status = ?, ended_at = now() - make_interval(hours => ?), end_reason = ?
         where id = ?`;
    return at.sql(statement, [status, hoursAgo, reason, id]);
  };

  it('filter by address and network, IPv4 and IPv6', async () => {
    const one = await session({ address: '198.51.100.7' });
    const other = await session({ address: '198.51.100.200' });
    const far = await session({ address: '198.51.101.7' });
    const six = await session({ address: '2001:db8:77::1' });
    assert.deepEqual(await bothWays({ ipAddress: '198.51.100.7' }), [one]);
    assert.deepEqual(await bothWays({ ipAddress: '198.51.100.0/24' }), [other, one]);
    assert.deepEqual(await bothWays({ ipAddress: '198.51.100.9/23' }), [far, other, one]);
    assert.deepEqual(await bothWays({ ipAddress: '198.51.100.7/32' }), [one]);
    assert.deepEqual(await bothWays({ ipAddress: '2001:DB8:77::/48' }), [six]);
    assert.deepEqual(await bothWays({ ipAddress: '2001:db8:77:0::1' }), [six]);
    assert.deepEqual(await bothWays({ ipAddress: '203.0.113.0/24' }), []);
    assert.ok((await bothWays({ ipAddress: '0.0.0.0/0' })).includes(far));
    for (const ipAddress of ['1.2.3', '1.2.3.4/33', '::/129', 'fe80::1%eth0']) {
      const given = { Filter: { IpAddress: ipAddress }, Status: 4 };
      await at.change(given).expect(problem('invalid_request', '/Filter/IpAddress'));
    }
  });

  it('filter by start and last-seen time', async () => {
    const deviceName = newId();
    const first = await age(await session({ deviceName }), 50 * HOUR_MS);
    const second = await age(await session({ deviceName }), 40 * HOUR_MS, HOUR_MS);
    const third = await age(await session({ deviceName }), 30 * HOUR_MS);
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
    assert.deepEqual(await bothWays({ createdTo: ago(45) }), [first]);
    assert.deepEqual(await bothWays({ createdFrom: ago(45), createdTo: ago(29) }), [third, second]);
    assert.deepEqual(await bothWays({ deviceName, createdFrom: ago(35) }), [third]);
    assert.deepEqual(await bothWays({ lastSeenBefore: ago(2) }), [third, first]);
    assert.deepEqual(await bothWays({ lastSeenBefore: ago(2), createdFrom: ago(45) }), [third]);
    const statement = 'select created_at as at from user_session where id = ?';
    const [row] = await at.sql<{ at: Date }>(statement, [second]);
    const exactly = row?.at.toISOString() ?? '';
    assert.deepEqual(await ids({ createdFrom: exactly, createdTo: ago(35) }), [second]);
  });

  it('filter by exact device name and provider, and by when and why they ended', async () => {
    const deviceName = newId();
    const newOld = async (hours: number) => age(await session({ deviceName }), hours * HOUR_MS);
    const [left, ranOut, kicked] = [await newOld(50), await newOld(49), await newOld(48)];
    const [active, other] = [await session({ deviceName }), await session({ deviceName: `${deviceName} 2` })];
    await at.sql("update user_session set sso_provider = 'corp' where id = any(?)", [[active, other]]);
    await end(left, 7, 'logout', 22);
    await end(ranOut, 7, 'expired', 21);
    await end(kicked, 4, 'administrator', 20);
    assert.deepEqual(await bothWays({ deviceName, ssoProvider: 'corp' }), [active]);
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
    for (const [filter, expected] of [
      [{ endedFrom: ago(23), endedTo: ago(20.5) }, [ranOut, left]],
      [{ endedFrom: ago(21.5) }, [kicked, ranOut]],
      [{ endReason: 'logout' }, [left]],
      [{ status: '7', endReason: 'expired' }, [ranOut]],
      [{ status: '4', endReason: 'expired' }, []],
      [{ endReason: 'administrator, expired' }, [kicked, ranOut]],
      [{ endedTo: ago(20.5), status: '4' }, []],
    ] as const)
      assert.deepEqual(await ids({ deviceName, ...filter }), expected, JSON.stringify(filter));
    const ended = { DeviceName: deviceName, EndedFrom: ago(23), EndReason: 'expired' };
    assert.deepEqual(await meant({ ...ended, Status: 7 }), [ranOut]);
    assert.deepEqual(await meant(ended), []);
    await at.boss.get(`${PATH}?endReason=logout,gone`).expect(400);
  });

  it('consider pings that are not in Postgres yet', async () => {
    const deviceName = newId();
    const idle = await age(await session({ deviceName }), (3 * HOUR_MS) / 2, HOUR_MS);
    const present = await at.newSession();
    const statement =
      "update user_session set device_name = ?, last_seen_at = now() - interval '1 hour' where id = ?";
    await at.sql(statement, [deviceName, present.sessionId]);
    await at.pingOf(present);
    const lastSeenBefore = new Date(Date.now() - HOUR_MS / 2).toISOString();
    assert.deepEqual(await bothWays({ deviceName, lastSeenBefore }), [idle]);
  });

  it('find a session by its identifier, and the sessions of an account by that', async () => {
    const { id } = await at.member();
    const mine = [(await at.login({ id })).sessionId, (await at.login({ id })).sessionId];
    const other = await at.newSession();
    assert.deepEqual(await bothWays({ search: mine[0]?.toUpperCase() ?? '' }), [mine[0]]);
    assert.deepEqual(await bothWays({ search: id }), mine.toReversed());
    assert.deepEqual(await bothWays({ search: id, userId: id }), mine.toReversed());
    assert.deepEqual(await bothWays({ search: id, userId: other.person.id }), []);
    assert.deepEqual(await bothWays({ search: other.sessionId, userId: id }), []);
    assert.deepEqual(await bothWays({ search: newId() }), []);
    const word = newId();
    const named = await at.newSession({ displayName: `Word ${word}` });
    assert.deepEqual(await bothWays({ search: word }), [named.sessionId]);
  });
});
