import type { Result } from '../../ui/api/api.ts';
import type { Answer, CallApi, Operation } from '../api/call-api.ts';
import type { TextKey } from '../text.ts';

type SearchTarget = { kind: 'id'; id: string } | { kind: 'address'; address: string };

/** Classifies a search: an id, a trace id, an IP address, or a text to search for among accounts. */
export function readSearch(typed: string): SearchTarget | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (UUID.test(text)) return { kind: 'id', id: text.toLowerCase() };
  if (TRACE.test(text)) return { kind: 'address', address: `/console/audit?traceId=${text.toLowerCase()}` };
  if (isAddress(text)) {
    const query = new URLSearchParams({ ipAddress: text }).toString();
    return { kind: 'address', address: `/console/sessions?${query}` };
  }
  return {
    kind: 'address',
    address: `/console/accounts?${new URLSearchParams({ search: text }).toString()}`,
  };
}

/** Whether a search is a text that accounts are searched for. */
export function isText(text: string): boolean {
  return !UUID.test(text) && !TRACE.test(text) && !isAddress(text);
}

/** Whether a search looks like an IP address or a network; the API decides. */
export function isAddress(text: string): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*(?::[0-9a-f]*){2,7})(?:\/\d{1,3})?$/i.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TRACE = /^[0-9a-f]{32}$/i;

/** The objects that an id may belong to, and the screens that show them. */
const PLACES = [
  ['GET /admin/account/{id}', '/console/accounts'],
  ['GET /admin/user-session/{id}', '/console/sessions'],
  ['GET /admin/content-definition/{id}', '/console/content'],
  ['GET /admin/mail/{id}', '/console/mails'],
  ['GET /admin/api-token/{id}', '/console/tokens'],
  ['GET /admin/oauth-client/{id}', '/console/applications'],
  ['GET /admin/webhook/{id}', '/console/webhooks'],
  ['GET /admin/hook-delivery/{id}', '/console/webhooks/deliveries'],
  ['GET /person/{id}', '/console/persons'],
] as const satisfies (readonly [Operation, string])[];

/** The lists of objects that have an id but no screen, and the message that is then shown. */
const LISTS = [
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
] as const satisfies (readonly [LookUp, string, TextKey])[];

type LookUp = (callApi: CallApi, id: string) => Promise<Result<{ Items: readonly unknown[] }>>;

export interface Place {
  address: string;
  says?: TextKey;
}

/** The address that shows the object with this id; `undefined` if no object has, or ever had, this id. */
export async function placeOfId(callApi: CallApi, id: string): Promise<Place | undefined> {
  const [screens, lists, invitation] = await Promise.all([
    Promise.all(PLACES.map(([operation]) => callApi(operation, { path: { id } }))),
    Promise.all(LISTS.map(([look]) => look(callApi, id))),
    callApi('GET /admin/invitation/{id}', { path: { id } }),
  ]);
  const screen = PLACES[screens.findIndex(({ ok }) => ok)];
  if (screen !== undefined) return { address: `${screen[1]}/${id}` };
  if (invitation.ok) return placeOfInvitation(invitation.value);
  const list = LISTS[lists.findIndex((result) => result.ok && result.value.Items.length > 0)];
  if (list === undefined) return undefined;
  // Only if every response is 404 does the object no longer exist: access may be denied, or an API unavailable.
  const isCertain = screens.every((result) => !result.ok && result.problem.status === 404);
  return { address: `${list[1]}${id}`, ...(isCertain && { says: list[2] }) };
}

/** A pending invitation is in the list, an accepted one has become an account, and a deleted one is only in the audit. */
function placeOfInvitation({
  Id,
  UserId,
  AcceptedAt,
  DeletedAt,
}: Answer<'GET /admin/invitation/{id}'>): Place {
  if (AcceptedAt !== null) return { address: `/console/accounts/${UserId}`, says: 'search.accepted' };
  if (DeletedAt !== null)
    return { address: `/console/audit?targetId=${Id}`, says: 'search.deletedInvitation' };
  return { address: `/console/invitations?id=${Id}`, says: 'search.invitation' };
}
