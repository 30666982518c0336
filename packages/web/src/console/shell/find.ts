import type { Ask, Operation } from '../api/ask.ts';

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

/** The screen of what has this id; `undefined` when nothing has. */
export async function addressOfId(ask: Ask, id: string): Promise<string | undefined> {
  const found = await Promise.all(
    PLACES.map(async ([operation, screen]) => {
      const result = await ask(operation, { path: { id } });
      return result.ok ? `${screen}/${id}` : undefined;
    }),
  );
  return found.find((address) => address !== undefined);
}
