import { type Result, wrongField } from '../../ui/api.ts';
import type { CallApi } from '../api/call-api.ts';

/** The present owner. The email is unknown until the account was read. */
interface Owner {
  id: string;
  email: string | undefined;
}

/** What the field for the owner shows at first: an email or, while it is unknown, the account's id. */
export function shownOwner(owner: Owner | undefined): string {
  return owner?.email ?? owner?.id ?? '';
}

/**
 * The id of the account with the typed email; null if the field was emptied. If there is no such account, the problem is
 * the same as the API's for an unknown owner.
 */
export async function findOwner(
  callApi: CallApi,
  typed: string,
  present: Owner | undefined,
): Promise<Result<string | null>> {
  const email = typed.trim();
  if (email === '') return { ok: true, value: null };
  // The email may have become known while the field showed the id.
  if (present && (email === present.email || email === present.id)) return { ok: true, value: present.id };
  const result = await callApi('GET /admin/account', { query: { email } });
  if (!result.ok) return result.problem.status === 400 ? { ok: false, problem: UNKNOWN } : result;
  const [found] = result.value.Items;
  return found === undefined ? { ok: false, problem: UNKNOWN } : { ok: true, value: found.Id };
}

const UNKNOWN = wrongField('OwnerId', 'unknown_object');
