import type { GatehouseError } from '../api/gatehouse-error.ts';
import type { SessionExists } from './login.ts';

/** Converts the error of a login that found every session in use; `undefined` for any other error. */
export function existsOf<Outcome>(
  { body: { TakeOverToken: token, Active: active = [] } = {} }: GatehouseError,
  takeOver: (token: string) => Promise<Outcome>,
): SessionExists<Outcome> | undefined {
  return token === undefined
    ? undefined
    : { kind: 'session-exists', active, takeOver: () => takeOver(token) };
}
