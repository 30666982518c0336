import type { AccountsDeps } from '@gatehouse/accounts';

/** What Admin's endpoints work with. */
export type Deps = AccountsDeps;
