/** Prints a line for each session that ended since the last run. A job with a static API token (role `Feed`). */
import { readFile, writeFile } from 'node:fs/promises';

// oxlint-disable-next-line no-restricted-properties -- its own settings
const { GATEHOUSE = 'http://127.0.0.1:8080', GATEHOUSE_TOKEN, CURSOR_FILE = 'cursor.txt' } = process.env;

let cursor = await readFile(CURSOR_FILE, 'utf8').catch(() => '');
for (;;) {
  const query = new URLSearchParams({ ended: 'true', limit: '100', ...(cursor && { cursor }) });
  const response = await fetch(`${GATEHOUSE}/session-event?${query}`, {
    headers: { authorization: `Bearer ${GATEHOUSE_TOKEN}` },
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`Gatehouse answered ${response.status} ${await response.text()}`);
  const { Items, NextCursor } = await response.json();
  for (const { SessionId, Status, ChangedAt } of Items)
    process.stdout.write(`${SessionId} ${Status} ${ChangedAt}\n`);
  // Stored after the work, so that after a failure the next run repeats it.
  if (NextCursor) await writeFile(CURSOR_FILE, (cursor = NextCursor));
  if (Items.length < 100) break;
}
