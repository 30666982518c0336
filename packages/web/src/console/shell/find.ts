import type { Result } from '../../ui/api/api.ts';
import type { CallApi, Operation } from '../api/call-api.ts';
import type { TextKey } from '../text.ts';

type SearchTarget = { kind: 'id'; id: string } | { kind: 'address'; address: string };

/** What was typed or pasted: an id, a trace id, or words. */
export function readSearch(typed: string): SearchTarget | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (UUID.test(text)) return { kind: 'id', id: text.toLowerCase() };
  if (TRACE.test(text)) return { kind: 'address', address: `/console/audit?traceId=${text.toLowerCase()}` };
  return {
    kind: 'address',
    address: `/console/accounts?${new URLSearchParams({ search: text }).toString()}`,
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TRACE = /^[0-9a-f]{32}$/i;

/** What an id may be of, and the screen that shows it. */
const PLACES = [
  ['GET /admin/account/{id}', '/console/accounts'],
  ['GET /admin/user-session/{id}', '/console/sessions'],
  ['GET /admin/content-definition/{id}', '/console/content'],
  ['GET /admin/mail/{id}', '/console/mails'],
  ['GET /admin/api-token/{id}', '/console/tokens'],
  ['GET /person/{id}', '/console/persons'],
] as const satisfies (readonly [Operation, string])[];

/** Lists that show what has an id and no screen of its own, and what is said then. */
const LISTS = [
  [
    (callApi, id) => callApi('GET /admin/invitation', { query: { id } }),
    '/console/invitations?id=',
    'search.invitation',
  ],
  [
    (callApi, id) => callApi('GET /admin/erasure', { query: { userId: id } }),
    '/console/erasures?userId=',
    'search.erased',
  ],
  [
    (callApi, id) => callApi('GET /admin/audit', { query: { targetId: id, limit: 1 } }),
    '/console/audit?targetId=',
    'search.changes',
  ],
] as const satisfies (readonly [Look, string, TextKey])[];

type Look = (callApi: CallApi, id: string) => Promise<Result<{ Items: readonly unknown[] }>>;

export interface Place {
  address: string;
  says?: TextKey;
}

/** Where what has this id is shown; `undefined` when nothing has it, or had. */
export async function placeOfId(callApi: CallApi, id: string): Promise<Place | undefined> {
  const [screens, lists] = await Promise.all([
    Promise.all(PLACES.map(([operation]) => callApi(operation, { path: { id } }))),
    Promise.all(LISTS.map(([look]) => look(callApi, id))),
  ]);
  const screen = PLACES[screens.findIndex(({ ok }) => ok)];
  if (screen !== undefined) return { address: `${screen[1]}/${id}` };
  const list = LISTS[lists.findIndex((result) => result.ok && result.value.Items.length > 0)];
  if (list === undefined) return undefined;
  // Persons may be kept from administrators, and an API may be away: what is there then is not gone.
  const isCertain = screens.every((result) => !result.ok && result.problem.status === 404);
  return { address: `${list[1]}${id}`, ...(isCertain && { says: list[2] }) };
}
