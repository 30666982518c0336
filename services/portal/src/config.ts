import { pagesSettings, serviceSettings, twoFactorSettings, verifyingSettings } from '@gatehouse/http';
import { setting } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** Portal's settings, by their names in the environment. It issues no tokens, and has no key that does. */
export const settings = Type.Object({
  ...serviceSettings({ port: 8082, internalPort: 9082 }),
  ...verifyingSettings(),
  ...twoFactorSettings(),
  ...pagesSettings(),
  HOSTED_PAGES: setting(true, 'Whether Portal serves the account pages, such as /login'),
});
