import type { AccountsDeps } from '@gatehouse/accounts';
import { defineRoutes } from '@gatehouse/http';

/** What Portal's endpoints work with. */
export type Deps = AccountsDeps;

/** Declares one of Portal's endpoints. */
export const route = defineRoutes<Deps>();
