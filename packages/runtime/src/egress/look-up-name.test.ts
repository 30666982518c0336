import assert from 'node:assert/strict';
import { during, msOf, startNameServer, type NameAnswer } from '../testing/index.ts';
import { lookUpName } from './look-up-name.ts';

const NEVER = new Promise<NameAnswer>(() => {});
const ANSWERS: Record<string, NameAnswer | Promise<NameAnswer>> = {
  'good.example.com': ['192.0.2.1', '192.0.2.2'],
  'many.example.com': Array.from({ length: 40 }, (_, at) => `192.0.2.${at}`),
  'silent.example.com': NEVER,
};

describe('the look-up of a name', () => {
  const server = during(() =>
    startNameServer((name, query) => {
      const answer = ANSWERS[name];
      if (answer !== undefined || name in ANSWERS) return answer;
      const [id, question] = [query.subarray(0, 2), query.subarray(4)];
      // "mad": another one's answer; "cut": truncated; others do not exist.
      const flags = { mad: 0x8180, cut: 0x8380 }[name.split('.')[0] ?? ''] ?? 0x8183;
      const answered = name.startsWith('mad') ? Buffer.from([1, 2]) : id;
      return Buffer.concat([answered, Buffer.from([flags >> 8, flags & 255]), question]);
    }),
  );
  const find = (name: string, nameMs?: number, signal?: AbortSignal) =>
    lookUpName(name, signal, { servers: [server.address], ...(nameMs !== undefined && { nameMs }) });

  it('finds the addresses of a name, and no more than can be tried', async () => {
    assert.deepEqual(await find('good.example.com'), ['192.0.2.1', '192.0.2.2']);
    assert.equal((await find('many.example.com')).length, 16);
  });

  it('reads names of the hosts file without asking anybody', async () => {
    const before = server.asked.length;
    assert.ok((await find('localhost')).includes('127.0.0.1'));
    assert.equal(server.asked.length, before);
  });

  for (const [name, code] of [
    ['unknown.example.com', 'ENOTFOUND'],
    ['cut.example.com', 'ENOTFOUND'],
    ['silent.example.com', 'ETIMEDOUT'],
    ['mad.example.com', 'ETIMEDOUT'],
  ] as const)
    it(`ends as ${code} for ${name}`, async () =>
      assert.ok((await msOf(() => assert.rejects(find(name, 500), { code }))) < 1500));

  it('ends with the signal', async () => {
    const end = () => find('silent.example.com', 9000, AbortSignal.timeout(300));
    assert.ok((await msOf(() => assert.rejects(end(), { code: 'ETIMEDOUT' }))) < 1500);
  });

  it('waits for no other name, however many have servers that do not answer', async () => {
    const silent = Array.from({ length: 40 }, () => find('silent.example.com', 1500).catch(() => []));
    const ms = await msOf(() => find('good.example.com'));
    assert.ok(ms < 1000, `${ms} ms`);
    assert.deepEqual((await Promise.all(silent)).flat(), []);
  });
});
