import { ssoIdentities } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';

const COUNT_MAX = 10_000;

/** How many accounts are linked to each issuer, up to 10,000; in the order of the issuers. */
export async function countIdentities(
  { db }: Pick<AccountsDeps, 'db'>,
  issuers: readonly string[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const issuer of issuers) counts.push(await ssoIdentities.count(db, issuer, COUNT_MAX));
  return counts;
}
