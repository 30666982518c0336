import type { AccountsDeps } from '@gatehouse/accounts';

/** What Portal's endpoints work with. */
export type Deps = AccountsDeps;
