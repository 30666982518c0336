import type { AccountsDeps } from '@gatehouse/accounts';
import type { Keys } from '@gatehouse/auth-core';
import { defineRoutes } from '@gatehouse/http';

/** What Core's endpoints work with. */
export interface Deps extends AccountsDeps {
  keys: Keys;
}

/** Declares one of Core's endpoints. */
export const route = defineRoutes<Deps>();
