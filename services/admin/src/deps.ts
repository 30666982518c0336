import type { AccountsDeps, OpenAccounts } from '@gatehouse/accounts';
import type { Auth, Keys } from '@gatehouse/auth-core';
import { defineSubjects, type SaysFreshProof } from '@gatehouse/http';
import { kit } from '@gatehouse/kit';
import type { SealHookSecret } from '@gatehouse/events';
import type { WriteMail } from '@gatehouse/mails';
import type { EgressRules } from '@gatehouse/runtime';
import type { ShownSetting } from './system/effective-settings.ts';
import type { createTotals } from './statistics/totals.ts';
import type { Sso } from './sso/sso.ts';

export interface Deps extends AccountsDeps {
  authenticate: Auth['authenticate'];
  sso: Sso;
  keys: Keys;
  /** Whether Admin's dependencies other than Postgres can be used: each check throws if not. */
  probes: Readonly<Record<string, () => Promise<unknown>>>;
  readings: OpenAccounts['readings'];
  /** Admin’s settings without secrets. */
  effectiveSettings: readonly ShownSetting[];
  writeMail: WriteMail;
  /** Encrypts the secrets of webhooks; `undefined` where webhooks are off. */
  sealHookSecret: SealHookSecret | undefined;
  egressRules: EgressRules;
  totals: ReturnType<typeof createTotals>;
  /** The audience of access tokens for Gatehouse's own APIs. */
  audience: string;
  /** The address of the account pages. */
  publicUrl: string;
}

export const { routes, list, one, creates, changes, removes, bulk } = kit<Deps>();

export const routeOf = defineSubjects<Deps, SaysFreshProof>();

/** Declares one of Admin's endpoints, which are for administrators unless they say otherwise. */
export const route = routeOf({ access: ['Admin'] });
