import type { AccountsDeps } from '@gatehouse/accounts';
import { defineRoutes } from '@gatehouse/http';
import type { Sso } from './sso/sso.ts';

/** What Admin's endpoints work with. */
export interface Deps extends AccountsDeps {
  sso: Sso;
}

/** Declares one of Admin's endpoints. */
export const route = defineRoutes<Deps>();
