import type { Problem, Result } from './api.ts';

const NOBODY: Problem = { status: 401, code: 'token_missing', errors: [], body: {} };

/**
 * Who is signed in to this browser, by the answer to a request that does not fail if it is nobody: it is the first one of
 * most pages. While version 1.0 is replaced, its gateway and instances answer that request with 404 or a page. Then it is
 * asked what both versions know.
 */
export async function findVisitor<N extends string, T>(
  name: N,
  asked: Promise<Result<Record<N, T | null>>>,
  askEarlier: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const result = await asked;
  if (!result.ok && result.problem.status !== 404) return result;
  const visitor: T | null | undefined = result.ok ? result.value[name] : undefined;
  if (visitor === undefined) return askEarlier();
  return visitor === null ? { ok: false, problem: NOBODY } : { ok: true, value: visitor };
}
