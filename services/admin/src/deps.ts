import type { AccountsDeps, Overview } from '@gatehouse/accounts';
import { defineRoutes } from '@gatehouse/http';
import type { WriteMail } from '@gatehouse/mails';
import type { Sso } from './sso/sso.ts';

/** What Admin's endpoints work with. */
export interface Deps extends AccountsDeps {
  sso: Sso;
  /** Writes mails as the mail worker does. */
  writeMail: WriteMail;
  /** How the installation stands now, or did some seconds ago. */
  overview: () => Promise<Overview>;
  /** Where the account pages are. */
  publicUrl: string;
}

/** Declares one of Admin's endpoints. */
export const route = defineRoutes<Deps>();
