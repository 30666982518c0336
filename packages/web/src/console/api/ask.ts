import { call, type Method, type Problem, type Result } from '../../ui/api/api.ts';
import type { Operations } from './operations.ts';

export type Operation = keyof Operations;

type Given<T> = T extends undefined ? unknown : T;

/** What a call takes, as far as it takes something. */
export interface Input<K extends Operation> {
  path?: Given<Operations[K]['path']>;
  query?: Partial<Given<Operations[K]['query']>>;
  body?: Given<Operations[K]['body']>;
  /** Lines of JSON, in the place of a body. */
  ndjson?: string;
  /** Changes nothing but this version (the `etag` of an earlier result). */
  ifMatch?: string | undefined;
}

export type Answer<K extends Operation> = Operations[K]['answer'];

/** Calls the API as whoever is signed in. */
export type Ask = <K extends Operation>(operation: K, input?: Input<K>) => Promise<Result<Answer<K>>>;

interface Keeper {
  /** Told that the session is over, or gives no rights any more. */
  onSignedOut: (problem: Problem) => void;
  /** Has the password confirmed; whether that was done. */
  confirm: () => Promise<boolean>;
}

/** What of our own origin is asked, by the names that OpenAPI has for it. */
export function createAsk({ onSignedOut, confirm }: Keeper): Ask {
  const send = async <K extends Operation>(operation: K, input: Input<K>): Promise<Result<Answer<K>>> => {
    const [method, path] = operation.split(' ') as [Method, string]; // as they are written
    const headers = {
      ...(input.ifMatch !== undefined && { 'If-Match': input.ifMatch }),
      ...(input.ndjson !== undefined && { 'Content-Type': 'application/x-ndjson' }),
    };
    const body = input.ndjson ?? (input.body as object | undefined); // objects, all of them
    return call<Answer<K>>(method, addressOf(path, input), body, headers);
  };
  return async (operation, input = {}) => {
    const result = await send(operation, input);
    if (result.ok) return result;
    const { status, code } = result.problem;
    if (code === 'confirmation_required' && (await confirm())) return send(operation, input);
    // Persons may be kept from administrators (`PERSON_ROLES`), who are signed in all the same.
    const isRefused = code === 'forbidden' && !operation.includes(' /person');
    if (status === 401 || isRefused) onSignedOut(result.problem);
    return result;
  };
}

function addressOf(path: string, { path: inPath, query }: Input<Operation>): string {
  const parts = new Map(Object.entries(inPath ?? {}));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parts.get(name) ?? '')),
  );
  const asked = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
