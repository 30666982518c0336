import assert from 'node:assert/strict';
import type { Refreshing } from '../session/refresh/refresh.ts';
import type { AccountRef } from './accounts.ts';

/** A session that was opened, with its first refresh token. */
export interface Opened {
  person: AccountRef;
  sessionId: string;
  first: string;
}

/** The refresh token that a refresh was answered with. */
export function successorIn(answer: Refreshing): string {
  assert.ok(answer.kind === 'refreshed', JSON.stringify(answer));
  return answer.tokens.RefreshToken;
}
