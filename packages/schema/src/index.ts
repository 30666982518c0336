export { Type, type Static, type TSchema, type TObject, type TProperties } from 'typebox';
export { compile, type Check, type Problem } from './check.ts';
export {
  BcryptHash,
  Closed,
  Code,
  describeNumbers,
  DisplayName,
  Email,
  emailKey,
  Integers,
  Locale,
  normalizeEmail,
  OneOf,
  Password,
  Prose,
  Text,
  Timestamp,
  TwoFactorCode,
  typedCode,
  Uuid,
} from './fields.ts';
