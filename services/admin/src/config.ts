import { consoleSettings, issuingSettings, pagesSettings, serviceSettings } from '@gatehouse/http';
import { optionalSecret } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** Admin's settings, by their names in the environment. */
export const settings = Type.Object({
  ...serviceSettings({ port: 8083, internalPort: 9083 }),
  ...issuingSettings(),
  ...consoleSettings(),
  ...pagesSettings(),
  FIRST_ADMIN_EMAIL: Type.Optional(
    Type.String({ description: 'The administrator to make while there is none at all' }),
  ),
  FIRST_ADMIN_PASSWORD: optionalSecret('The password that this administrator begins with'),
  SSO_PROVIDERS: optionalSecret('The identity providers as a JSON list, with their secrets'),
});
