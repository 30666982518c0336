import type { AccountsDeps, MailRequests, SessionWatch } from '@gatehouse/accounts';
import { defineRoutes } from '@gatehouse/http';

/** What Portal's endpoints work with. */
export interface Deps extends AccountsDeps {
  /** Where browsers reach the account pages. */
  publicUrl: string;
  sessionWatch: Pick<SessionWatch, 'watch'>;
  mailRequests: Pick<MailRequests, 'wake'>;
  /** Where shared content is opened, with `{ContentDefinitionId}` in the place of its id. */
  contentUrl?: string | undefined;
  /** Where a login may send a browser on to; compared exactly. */
  returnUrls: readonly string[];
}

/** Declares one of Portal's endpoints. */
export const route = defineRoutes<Deps>();
