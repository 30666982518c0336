import { issuingSettings, serviceSettings } from '@gatehouse/http';
import { optionalSecret } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** Admin's settings, by their names in the environment. */
export const settings = Type.Object({
  ...serviceSettings({ port: 8083, internalPort: 9083 }),
  ...issuingSettings(),
  FIRST_ADMIN_EMAIL: Type.Optional(
    Type.String({ description: 'The administrator to make while there is none at all' }),
  ),
  FIRST_ADMIN_PASSWORD: optionalSecret('The password that this administrator begins with'),
  ADMIN_URL: Type.Optional(
    Type.String({
      format: 'uri',
      pattern: /^https?:\/\/[^?#]+$/.source,
      description: 'Where browsers reach Admin: identity providers send them back to it',
    }),
  ),
  SSO_PROVIDERS: optionalSecret('The identity providers as a JSON list, with their secrets'),
});
