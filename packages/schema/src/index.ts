export type { Static, TObject, TProperties, TSchema } from 'typebox';
export { compile, type Check, type Problem } from './check.ts';
export { exampleOf } from './example.ts';
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
export { Type } from './type.ts';
