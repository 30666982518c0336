import { createHash } from 'node:crypto';
import { BoundedMap } from './bounded-map.ts';
import type { Fetch } from './key-set.ts';
import { refusedBy, unavailable, type Caller, type Verdict } from './verdict.ts';

const TIMEOUT_MS = 3000;
/** How late a revocation may take effect, and how long a refused token is not asked about again. */
const GOOD_MS = 2000;
const REFUSED_MS = 10_000;

/** Asks Gatehouse about a token that has a valid format, each at most once every two seconds. */
export function createTokenLookup(
  url: string,
  { fetch, now, memoryMax }: { fetch: Fetch; now: () => number; memoryMax: number },
): (token: string, local?: Caller) => Promise<Verdict> {
  const known = new BoundedMap<{ verdict: Promise<Verdict>; until: number }>(memoryMax);

  return async (token, local) => {
    const digest = createHash('sha256').update(token).digest('base64');
    const earlier = known.get(digest);
    if (earlier !== undefined && now() < earlier.until) return await earlier.verdict;
    const entry = { verdict: requestVerdict(url, fetch, token, local), until: now() + TIMEOUT_MS };
    known.set(digest, entry);
    const verdict = await entry.verdict;
    if (verdict.kind === 'unavailable') known.delete(digest);
    else entry.until = now() + (verdict.kind === 'caller' ? GOOD_MS : REFUSED_MS);
    return verdict;
  };
}

async function requestVerdict(url: string, fetch: Fetch, token: string, local?: Caller): Promise<Verdict> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const { status, headers } = response;
    if (status === 401) return refusedBy(headers.get('x-auth-error'));
    const role = headers.get('x-auth-role');
    if (status !== 200 || role === null) return unavailable(`Gatehouse has answered ${status}`);
    return {
      kind: 'caller',
      role: role as Caller['role'], // Gatehouse's own word
      accountId: headers.get('x-auth-account') ?? undefined,
      sessionId: headers.get('x-auth-session') ?? undefined,
      expiresAt: local?.expiresAt,
    };
  } catch {
    return unavailable('Gatehouse does not answer');
  }
}
