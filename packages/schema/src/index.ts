export {
  EXPORT_SECTIONS,
  SIGN_IN_METHODS,
  SIGN_IN_REASONS,
  SIGN_IN_RESULTS,
  PASSWORD_SCHEMES,
  ACTIVE_STATUSES,
  CONDITION_CODES,
  END_REASONS,
  isActive,
  LoginStatus,
  PingStatus,
  ROLES,
  STATIC_TOKEN_ROLES,
  SessionStatus,
  type ExportSection,
  type SignInMethod,
  type SignInReason,
  type SignInResult,
  type PasswordScheme,
  type EndReason,
  type Role,
  type StaticTokenRole,
} from './vocabulary.ts';
export { Type, type Static, type TObject, type TOptional, type TProperties, type TSchema } from 'typebox';
export { ID_TOKEN_ALGS, isOnDevice, OAUTH_GRANT_TYPES, OAUTH_SCOPES } from './oauth.ts';
export { compile, type Check } from './check.ts';
export { emailKey, normalizeEmail } from './email.ts';
export { shownName } from './shown-name.ts';
export { FAULTS, PROBLEMS_MAX, type FaultCode, type Problem } from './faults.ts';
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
  Password,
  Prose,
  Text,
  Timestamp,
  TwoFactorCode,
  typedCode,
  Uuid,
} from './fields.ts';
export {
  CONTENT_PLACE,
  contentAddress,
  CONSOLE_PATHS,
  PAGE_FRAGMENTS,
  PAGE_PATHS,
  type PageFragment,
  type PagePath,
} from './page-paths.ts';
