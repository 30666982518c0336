import { clientDocuments, type Db } from '@gatehouse/db';
import { createEgressRules, startDueWork, type DueWork, type Log } from '@gatehouse/runtime';
import { createReach, type ReachOptions } from '../reach.ts';

/** A document, or in a word why it could not be fetched. */
type Fetched = { body: string; seconds: number } | { fault: string };
export type FetchDocument = (url: string) => Promise<Fetched>;

const FETCH_MS = 5000;
const DOCUMENT_BYTES_MAX = 5120;
/** With its header, and what TLS adds. */
const ANSWER_BYTES_MAX = 32_768;
const AT_ONCE_MAX = 10;

/**
 * Creates what fetches the document of an application: from the public Internet alone, as anybody may name an address, and
 * not from where administrators let webhooks lead. It follows no redirect.
 */
export function createFetchDocument({
  fetchMs = FETCH_MS,
  rules = createEgressRules(''),
  ...options
}: Partial<ReachOptions> & { fetchMs?: number }): FetchDocument {
  const reach = createReach({ ...options, rules });
  return async (url) => {
    const bounds = { bytesMax: ANSWER_BYTES_MAX, timeMs: fetchMs };
    const reached = await reach(url, { method: 'GET', headers: { accept: 'application/json' }, ...bounds });
    if (reached.kind === 'failed') return { fault: reached.fault };
    const { status, headers: given, body, isWhole } = reached.answer;
    if (status !== 200) return { fault: `status ${status}` };
    if (!JSON_TYPE.test(given['content-type'] ?? '')) return { fault: 'no JSON by its Content-Type' };
    if (!isWhole || body.length > DOCUMENT_BYTES_MAX) return { fault: 'more than 5 KB' };
    const text = textOf(body);
    if (text === undefined) return { fault: 'no UTF-8' };
    return { body: text, seconds: maxAgeOf(given['cache-control']) };
  };
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

function textOf(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** How long an answer may be used (RFC 9111 §5.2.2.1); the database bounds it. */
function maxAgeOf(cacheControl = ''): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
  return Number(/\bmax-age="?(\d{1,8})\b/i.exec(cacheControl)?.[1] ?? 0);
}

export function startFetchingDocuments(deps: { db: Db; fetchDocument: FetchDocument; log: Log }): DueWork {
  const { db, fetchDocument, log } = deps;
  return startDueWork({
    table: {
      claim: ({ limit }) => clientDocuments.take(db, limit),
      // What was taken is nobody else's, and what takes longer is asked for again.
      extend: () => Promise.resolve(),
    },
    carryOut: async ({ id: url }) => {
      const startedAt = performance.now();
      const fetched = await fetchDocument(url);
      await clientDocuments.answer(db, url, fetched);
      log.info('document of an application fetched', {
        clientDocument: url,
        durationMs: Math.round(performance.now() - startedAt),
        ...('fault' in fetched && { problem: fetched.fault }),
      });
    },
    atOnce: AT_ONCE_MAX,
    roomMin: 1,
    things: 'documents of applications',
    log,
  });
}
