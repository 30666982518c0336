import type { AccountsDeps, Overview, ServerReadings } from '@gatehouse/accounts';
import type { Keys } from '@gatehouse/auth-core';
import { defineRoutes } from '@gatehouse/http';
import type { WriteMail } from '@gatehouse/mails';
import type { ShownSetting } from './system/settings-in-force.ts';
import type { Sso } from './sso/sso.ts';

/** What Admin's endpoints work with. */
export interface Deps extends AccountsDeps {
  sso: Sso;
  /** The keys that sign tokens. */
  keys: Keys;
  /** Whether Admin's dependencies other than Postgres can be used: each check throws if not. */
  probes: Readonly<Record<string, () => Promise<unknown>>>;
  /** What Redis and the broker say of themselves. */
  readings: ServerReadings;
  /** Admin’s settings without what is secret. */
  settingsInForce: readonly ShownSetting[];
  /** Writes mails as the mail worker does. */
  writeMail: WriteMail;
  /** How the installation stands now, or did some seconds ago. */
  overview: () => Promise<Overview>;
  /** Where the account pages are. */
  publicUrl: string;
}

/** Declares one of Admin's endpoints. */
export const route = defineRoutes<Deps>();
