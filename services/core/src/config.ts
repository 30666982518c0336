import { issuingSettings, serviceSettings, twoFactorSettings } from '@gatehouse/http';
import { ConfigError, readServiceConfig, setting } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { readPersonRoles } from './person/person-roles.ts';

/** Core's settings, by their names in the environment. */
export const settings = Type.Object({
  ...serviceSettings({ port: 8081, internalPort: 9081 }),
  ...issuingSettings(),
  ...twoFactorSettings(),
  SELF_REGISTRATION: Type.Unsafe<'open' | 'closed'>({
    type: 'string',
    enum: ['open', 'closed'],
    default: 'open',
    description: 'Whether an email without an account gets one by registering',
  }),
  PERSON_ROLES: setting(
    'User,Admin,Service',
    'Who may manage persons and faces: some of User, Admin and Service, with commas',
  ),
  FACE_SHARPNESS_FLOOR: share(0.3, 'The sharpness below which a face is too blurry to match'),
  FACE_AUTOMATCH_THRESHOLD: share(0.9, 'The similarity from which a match needs no review'),
  FACE_MARGIN: share(0.05, 'How far ahead of the second candidate such a match must be'),
  FACE_PROBABLE_THRESHOLD: share(0.7, 'The similarity from which a match is kept for review'),
});

/** Reads the settings. @throws {ConfigError} naming every fault that the schema sees, or the first it does not. */
export function readCoreConfig(environment?: NodeJS.ProcessEnv) {
  const config = readServiceConfig(settings, environment);
  const faceRules = {
    sharpnessFloor: config.FACE_SHARPNESS_FLOOR,
    automatchThreshold: config.FACE_AUTOMATCH_THRESHOLD,
    margin: config.FACE_MARGIN,
    probableThreshold: config.FACE_PROBABLE_THRESHOLD,
  };
  if (faceRules.probableThreshold > faceRules.automatchThreshold) {
    throw new ConfigError('FACE_PROBABLE_THRESHOLD must not be above FACE_AUTOMATCH_THRESHOLD');
  }
  const personRoles = readPersonRoles(config.PERSON_ROLES);
  if (personRoles === undefined) {
    throw new ConfigError('PERSON_ROLES must be some of User, Admin and Service, with commas between them');
  }
  return { ...config, faceRules, personRoles };
}

/** From 0, none, to 1, all that there can be. */
function share(standard: number, description: string) {
  return Type.Number({ default: standard, minimum: 0, maximum: 1, description });
}
