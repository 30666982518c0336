import type { Problem, Result } from '../../ui/api/api.ts';
import type { CallApi } from '../api/call-api.ts';

/**
 * The id of the account with the typed email; null if nothing was typed. If there is no such account, the problem is
 * the same as the API's for an unknown owner.
 */
export async function findOwner(
  callApi: CallApi,
  typed: string,
  present: { id: string; email: string } | '' | null | undefined,
): Promise<Result<string | null>> {
  const email = typed.trim();
  // An owner whose email is unknown is shown as an empty field: leaving it empty keeps this owner.
  if (present && email === present.email) return { ok: true, value: present.id };
  if (email === '') return { ok: true, value: null };
  const result = await callApi('GET /admin/account', { query: { email } });
  if (!result.ok) return result.problem.status === 400 ? { ok: false, problem: UNKNOWN } : result;
  const [found] = result.value.Items;
  return found === undefined ? { ok: false, problem: UNKNOWN } : { ok: true, value: found.Id };
}

const UNKNOWN: Problem = {
  status: 400,
  code: 'invalid_request',
  errors: [{ pointer: '/OwnerId', message: '', code: 'unknown_object' }],
  body: {},
};
