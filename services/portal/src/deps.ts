import type { AccountsDeps, MailRequests, SessionWatch } from '@gatehouse/accounts';
import { defineRoutes } from '@gatehouse/http';

/** The dependencies of Portal's endpoints. */
export interface Deps extends AccountsDeps {
  /** The address of the account pages for browsers. */
  publicUrl: string;
  sessionWatch: Pick<SessionWatch, 'watch'>;
  mailRequests: Pick<MailRequests, 'wake'>;
  /** The address of shared content, with `{ContentDefinitionId}` as the placeholder of its id. */
  contentUrl?: string | undefined;
  /** The addresses where a login may redirect a browser; compared exactly. */
  returnUrls: readonly string[];
}

/** Declares one of Portal's endpoints. */
export const route = defineRoutes<Deps>();
