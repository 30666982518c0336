import assert from 'node:assert/strict';
import { during, fillTables, NUMBERED_ID, reading, testDatabase } from '@gatehouse/db/testing';
import type { Route } from '@gatehouse/http';
import type { Deps } from './deps.ts';
import { contentRoutes } from './guest/content/content.ts';
import { invitationRoutes } from './guest/invitation/invitation.ts';
import { mailRoutes } from './mail/mail.ts';

interface Page {
  Items: unknown[];
  NextCursor?: string;
}

describe('a list with few or no matches', () => {
  const database = during(testDatabase);
  before(async () => {
    await fillTables(database.url, {
      account: `insert into account (id, email, email_key, role)
       select ${NUMBERED_ID}, 'person' || n || '@x.example', 'person' || n || '@x.example', 'User' from numbers`,
      content_definition: `insert into content_definition (id, name, kind)
       select ${NUMBERED_ID}, case when n = 5 then 'Talk zquint' else 'Talk ' || n end, 'Document' from numbers`,
      invitation: `insert into invitation (id, account_id, content_definition_id, invited_email, token_hash, expires_at)
       select ${NUMBERED_ID}, ${NUMBERED_ID}, ${NUMBERED_ID}, '', decode(lpad(to_hex(n), 64, '0'), 'hex'),
         now() + case when n = 5 then interval '1 day' else interval '-1 day' end from numbers`,
      mail_delivery: `insert into mail_delivery (
         id, kind, account_id, email, event, status, next_try_at, sent_at, parked_at, trace_id)
       select ${NUMBERED_ID}, 'invitation', ${NUMBERED_ID}, 'M' || n || '@x.example', '{}',
         case when n = 5 then 'Parked' else 'Sent' end, null, case when n <> 5 then at end, case when n = 5 then at end,
         lpad(n::text, 32, '0')
       from (select n, timestamptz '2026-01-01T00:00Z' - n * interval '1 minute' as at from numbers) made`,
    });
  });

  const listing = ([list]: readonly Route<Deps>[], table: string, filter: object) =>
    reading(database.db, table, async (tx) => {
      // A list needs no more of a request than this.
      const input = { query: { limit: 50, ...filter }, deps: { db: tx } } as never;
      return (await list?.handler(input)) as unknown as Page;
    });

  it('reads few of very many rows of content', async () => {
    for (const [search, count] of Object.entries({ zq: 1, nobody: 0 })) {
      const { found, read } = await listing(contentRoutes, 'content_definition', { search });
      assert.deepEqual([found.Items.length, found.NextCursor], [count, undefined], search);
      assert.ok(read < 5000, `${search}: ${read}`);
    }
  });

  it('finds the few invitations that have not expired, without reading those that have', async () => {
    const { found, read } = await listing(invitationRoutes, 'invitation', { isExpired: false });
    assert.deepEqual([found.Items.length, found.NextCursor], [1, undefined]);
    assert.ok(read < 5000, String(read));
  });

  for (const [what, filter, count] of [
    ['that are parked', { status: 'Parked' }, 1],
    ['to an address', { email: 'm7@x.example' }, 1],
    ['of a request', { traceId: '7'.padStart(32, '0') }, 1],
    ['of half an hour', { finishedFrom: '2025-12-31T22:00:00Z', finishedTo: '2025-12-31T22:30:00Z' }, 30],
  ] as const)
    it(`reads few of very many mails to find those ${what}`, async () => {
      const { found, read } = await listing(mailRoutes, 'mail_delivery', filter);
      assert.deepEqual([found.Items.length, found.NextCursor], [count, undefined]);
      assert.ok(read < 5000, String(read));
    });
});
