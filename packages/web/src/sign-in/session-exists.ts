import type { ActiveSession } from 'gatehouse-client';
import type { Problem } from '../ui/api.ts';

/** What a login found that has to end another session first. */
export interface SessionExists {
  /** Least recently seen first: this is the one that ends. */
  active: readonly ActiveSession[];
  token: string;
}

/** Reads the error `session_exists` (docs/sessions.md); `undefined` for any other error. */
export function sessionExistsIn({ code, body }: Problem): SessionExists | undefined {
  const { Active: active, TakeOverToken: token } = body;
  if (code !== 'session_exists' || !Array.isArray(active) || typeof token !== 'string') return undefined;
  return { active: active as ActiveSession[], token }; // as documented; other values are shown as text
}
