import type { ApiCall } from './call-api.ts';
import { OPERATION_TABLE } from './operation-table.ts';

/** Fields named in the path are put there. The others go into the query of a GET, or the body of any other method. */
export function callOf(name: string, input: object): ApiCall {
  const row = OPERATION_TABLE.split('\n').find((one) => one.startsWith(`${name} `));
  if (row === undefined) throw new TypeError(`there is no ${name}`);
  const [, method = '', template = ''] = row.split(' ');
  const rest: Record<string, unknown> = { ...input };
  const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(value);
  });
  if (method !== 'GET') return { method, path, body: rest };
  const query = new URLSearchParams(JSON.parse(JSON.stringify(rest)) as Record<string, string>).toString(); // JSON omits undefined fields
  return { method, path: query ? `${path}?${query}` : path };
}
