export { Type, type Static, type TSchema, type TObject, type TProperties } from 'typebox';
export { compile, type Check, type Problem } from './check.ts';
export {
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
  Text,
  Timestamp,
  TwoFactorCode,
  typedCode,
  Uuid,
} from './fields.ts';
