import assert from 'node:assert/strict';
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { importAccounts } from '@gatehouse/accounts';
import { v7 as newId } from 'uuid';
import { someAddress, startCore, type TestCore } from '../../testing/index.ts';

const ROUNDS = 5;
/** As a share of the slowest kind, which takes more than a tenth of a second. */
const DIFFERENCE_MAX = 0.2;

describe('a wrong password with IMPORT_EVEN_TIME', function () {
  this.timeout(120_000);
  let core: TestCore;
  before(async () => {
    core = await startCore({ IMPORT_EVEN_TIME: true });
  });
  after(() => core.stop());

  const imported = async (hashOf: () => object): Promise<string[]> => {
    const emails = Array.from({ length: ROUNDS }, () => `${newId()}@example.com`);
    async function* lines() {
      for (const [at, Email] of emails.entries())
        yield { number: at + 1, kind: 'value', value: { Email, ...hashOf() } } as const;
    }
    const by = {
      actor: { kind: 'System' },
      origin: { traceId: '0', dueAt: Infinity },
      firebase: undefined,
    } as const;
    assert.deepEqual((await importAccounts(core.app, lines(), by)).failures, []);
    return emails;
  };
  const timeOf = async (email: string): Promise<number> => {
    const begun = performance.now();
    const body = { Username: email, Password: 'a wrong password' };
    await core.post('/account/login', body, { 'x-forwarded-for': someAddress() }).expect(404);
    return performance.now() - begun;
  };

  it('takes the same time for every kind of account, and for none', async () => {
    const kinds: Record<string, string[]> = {
      nobody: Array.from({ length: ROUNDS }, () => `${newId()}@example.com`),
      own: await Promise.all(Array.from({ length: ROUNDS }, () => core.newAccount())),
      cheap: await imported(() => ({ PasswordHash: pbkdf2(1000) })),
      wrapped: await imported(() => ({
        PasswordDigest: { Algorithm: 'md5', Hash: randomBytes(16).toString('hex') },
      })),
      slowest: await imported(() => ({ PasswordHash: pbkdf2(300_000) })),
    };
    const rounds: Record<string, number>[] = [];
    // All kinds in each round: when the machine is slow for a moment, later waits become longer for all of them.
    for (let round = 0; round < ROUNDS; round += 1) {
      const times: Record<string, number> = {};
      for (const [kind, emails] of Object.entries(kinds)) times[kind] = await timeOf(emails[round] ?? '');
      rounds.push(times);
    }
    assert.ok(medianOf(rounds.map(differenceIn)) < DIFFERENCE_MAX, JSON.stringify(rounds));
  });
});

/** A hash in Django's format. */
function pbkdf2(rounds: number): string {
  const digest = pbkdf2Sync('right', 'saltsaltsalt', rounds, 32, 'sha256').toString('base64');
  return `pbkdf2_sha256$${rounds}$saltsaltsalt$${digest}`;
}

/** The difference between the fastest and the slowest kind, as a share of the slowest. */
function differenceIn(times: Record<string, number>): number {
  const milliseconds = Object.values(times);
  return 1 - Math.min(...milliseconds) / Math.max(...milliseconds);
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
