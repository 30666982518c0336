import type { AccountsDeps } from '@gatehouse/accounts';
import { defineRoutes } from '@gatehouse/http';

/** What Admin's endpoints work with. */
export type Deps = AccountsDeps;

/** Declares one of Admin's endpoints. */
export const route = defineRoutes<Deps>();
