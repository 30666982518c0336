import type { AccountsDeps } from '@gatehouse/accounts';
import type { Keys, Turns } from '@gatehouse/auth-core';
import { defineRoutes } from '@gatehouse/http';
import type { FaceRules } from './person/match-rules.ts';

/** What Core's endpoints work with. */
export interface Deps extends AccountsDeps {
  keys: Keys;
  /** The public base URL, which access tokens name as their issuer. */
  issuer: string;
  faceRules: FaceRules;
  faceTurns: Turns;
}

/** Declares one of Core's endpoints. */
export const route = defineRoutes<Deps>();
