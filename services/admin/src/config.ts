import {
  accountSettings,
  consoleSettings,
  firstAdminSettings,
  issuingSettings,
  pagesSettings,
} from '@gatehouse/accounts';
import { apiSettings } from '@gatehouse/http';
import { optionalSecret, processSettings } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** Admin's settings, by their names in the environment. */
export const settings = Type.Object({
  ...apiSettings({ port: 8083 }),
  ...processSettings({ internalPort: 9083 }),
  ...accountSettings(),
  ...issuingSettings(),
  ...consoleSettings(),
  ...pagesSettings(),
  ...firstAdminSettings(),
  SSO_PROVIDERS: optionalSecret('The identity providers as a JSON list, with their secrets'),
});
