import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { importAccounts } from '@gatehouse/accounts';
import { readFirebaseParameters } from '@gatehouse/auth-core';
import { accounts, query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../../testing/cast.ts';

interface Known {
  Format: string;
  Source: string;
  Password: string;
  Line: object & { PasswordDigest?: { Algorithm: 'md5'; Hash: string } };
}

/** Hashes created by the systems themselves or copied from their documentation, each with its source. */
const { Firebase, Hashes } = JSON.parse(
  readFileSync(new URL('foreign-hashes.json', import.meta.url), 'utf8'),
) as { Firebase: string; Hashes: Known[] };

describe('login with an imported password of another system', () => {
  const { core, someone } = cast({});

  const imported = async (known: readonly Known[]) => {
    const emails = known.map(() => `${newId()}@example.com`);
    async function* lines() {
      for (const [at, { Line }] of known.entries())
        yield { number: at + 1, kind: 'value', value: { Email: emails[at] ?? '', ...Line } } as const;
    }
    const outcome = await importAccounts(core().app, lines(), {
      actor: { kind: 'System' },
      origin: { traceId: '0', dueAt: Infinity },
      firebase: readFirebaseParameters(Firebase),
    });
    assert.deepEqual([outcome.interruption, outcome.failures], [undefined, []]);
    return emails;
  };
  const schemeOf = async (email: string) =>
    (await accounts.findByEmailKey(core().app.db, email))?.passwordScheme;

  it('has two examples of every format', () => {
    const formats = new Set(Hashes.map(({ Format }) => Format));
    assert.equal(formats.size, 29);
    for (const format of formats)
      assert.ok(Hashes.filter(({ Format }) => Format === format).length >= 2, format);
  });

  for (const [at, known] of Hashes.entries()) {
    it(`accepts ${known.Format} (${at + 1}, ${known.Source}), only the right one, and rehashes it`, async () => {
      const [email = ''] = await imported([known]);
      assert.notEqual(await schemeOf(email), 'peppered');
      await someone(email).logsIn(`${known.Password}x`).expect(404);
      await someone(email).logsIn(known.Password).expect(200);
      await eventually(async () => (await schemeOf(email)) === 'peppered');
      await someone(email).logsIn(known.Password).expect(200);
      await someone(email).logsIn(`${known.Password}x`).expect(404);
    });
  }

  it('stores no digest in the database, neither a fast one nor that of a slow hash', async () => {
    await imported(Hashes);
    const tables = await query<{ name: string }>(
      core().app.db,
      `select format('%I', relname) as name from pg_class
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    );
    const rows: string[] = [];
    for (const { name } of tables) {
      const found = await query<{ row: string }>(core().app.db, `select t::text as row from ${name} t`);
      rows.push(...found.map(({ row }) => row));
    }
    const digests = Hashes.flatMap(({ Line }) => digestsOf(Line));
    assert.ok(digests.length >= Hashes.length);
    for (const digest of digests) {
      assert.ok(!rows.some((row) => row.includes(digest)), digest);
    }
    const stored = await query<{ hash: string }>(
      core().app.db,
      'select password_hash as hash from account where password_hash is not null',
    );
    assert.ok(stored.length >= Hashes.length);
    for (const { hash } of stored) assert.doesNotMatch(hash, /[0-9a-f]{32}/i);
  });
});

/** The digest of a line, in all encodings in which it might be stored. */
function digestsOf(line: Known['Line']): string[] {
  const { PasswordHash, SecretData, PasswordDigest } = line as {
    PasswordHash?: string;
    SecretData?: string;
    PasswordDigest?: { Hash: string };
  };
  // bcrypt hashes are stored unchanged.
  if (PasswordHash?.startsWith('$2') === true || PasswordHash?.startsWith('bcrypt$') === true) return [];
  const text =
    PasswordDigest?.Hash ??
    (SecretData === undefined ? undefined : (JSON.parse(SecretData) as { value: string }).value) ??
    PasswordHash?.split(/[$:]/).at(-1) ??
    '';
  const bytes = /^([0-9a-f]{2})+$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return [text, ...(['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding))];
}
