import { brandSettings } from '@gatehouse/brand';
import {
  accountSettings,
  consoleSettings,
  idTokenSettings,
  issuingSettings,
  pagesSettings,
  passkeySettings,
  twoFactorSettings,
} from '@gatehouse/accounts';
import { apiSettings } from '@gatehouse/http';
import {
  ConfigError,
  pageAddressSettings,
  processSettings,
  readServiceConfig,
  returnUrlSettings,
  setting,
  webhooksSettings,
} from '@gatehouse/runtime';
import { Enum, Type } from '@gatehouse/schema';
import { agentSettings, readAgentRules } from './oauth/agents/agent-settings.ts';
import { readPageSettings } from './page/page-settings.ts';
import { readPersonRoles } from './person/person.ts';

export const settings = Type.Object({
  ...apiSettings({ port: 8081 }),
  ...processSettings({ internalPort: 9081 }),
  ...accountSettings(),
  ...issuingSettings(),
  ...idTokenSettings(),
  ...twoFactorSettings(),
  ...pagesSettings(),
  ...consoleSettings(),
  ...passkeySettings(),
  ...pageAddressSettings(),
  ...returnUrlSettings(),
  ...webhooksSettings(),
  ...agentSettings(),
  LOCALES_DIRECTORY: brandSettings.LOCALES_DIRECTORY,
  SSO_PROVIDER_NAMES: setting('', 'Comma-separated identity providers that pages offer, each as id=name'),
  SELF_REGISTRATION: Enum(['open', 'closed'], {
    default: 'open',
    description: 'Whether people can register new accounts',
  }),
  VERIFY_NEEDS_REGISTRANT: setting(
    false,
    'Whether verifying an email needs the RegistrationToken to keep the password',
  ),
  PING_HEADERS: Enum(['public', 'bearer', 'off'], {
    default: 'public',
    description: 'Who may use `/ping?includeHeaders=true`',
  }),
  PERSON_ROLES: setting(
    'User,Admin,Service',
    'Comma-separated roles that may manage persons and faces: User, Admin, Service',
  ),
  FACE_SHARPNESS_FLOOR: share(0.3, 'Faces below this sharpness are too blurry to match'),
  FACE_AUTOMATCH_THRESHOLD: share(0.9, 'Minimum similarity for a match without review'),
  FACE_MARGIN: share(0.05, 'Minimum lead over the second candidate for a match without review'),
  FACE_PROBABLE_THRESHOLD: share(0.7, 'Minimum similarity for a match to be kept for review'),
});

/** @throws {ConfigError} that lists all violations of the schema, or the first other error. */
export function readCoreConfig(environment?: NodeJS.ProcessEnv) {
  const config = readServiceConfig(settings, environment);
  const faceRules = {
    sharpnessFloor: config.FACE_SHARPNESS_FLOOR,
    automatchThreshold: config.FACE_AUTOMATCH_THRESHOLD,
    margin: config.FACE_MARGIN,
    probableThreshold: config.FACE_PROBABLE_THRESHOLD,
  };
  if (faceRules.probableThreshold > faceRules.automatchThreshold)
    throw new ConfigError('FACE_PROBABLE_THRESHOLD must not be greater than FACE_AUTOMATCH_THRESHOLD');
  const personRoles = readPersonRoles(config.PERSON_ROLES);
  if (personRoles === undefined)
    throw new ConfigError('PERSON_ROLES must be a comma-separated list of User, Admin and Service');
  const agentRules = readAgentRules(config);
  return { ...config, faceRules, personRoles, agentRules, pages: readPageSettings(config) };
}

function share(standard: number, description: string) {
  return Type.Number({ default: standard, minimum: 0, maximum: 1, description });
}
