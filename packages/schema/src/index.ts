export { typedCode, typedName } from '@gatehouse/intake';
export * from './vocabulary.ts';
export { Type, type Static, type TObject, type TOptional, type TProperties, type TSchema } from 'typebox';
export * from './oauth.ts';
export { redirectUriFault, uriFault } from './redirect-uri.ts';
export { compile, type Check } from './check.ts';
export { emailKey, normalizeEmail } from './email.ts';
export { shownName } from './shown-name.ts';
export * from './faults.ts';
export { exampleOf } from './example.ts';
export { describeNumbers, Enum, Integers, NameOf, OneOf } from './enumerations.ts';
export {
  Code,
  DisplayName,
  distinctGroups,
  Email,
  Group,
  Groups,
  GROUPS_MAX,
  isUuid,
  Locale,
  Nullable,
  Optional,
  Password,
  Prose,
  Text,
  Timestamp,
  TwoFactorCode,
  UserName,
  Uuid,
} from './fields.ts';

export * from './page-paths.ts';
