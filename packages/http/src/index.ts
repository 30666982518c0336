export * from './account-export.ts';
export * from './request/browser-cookie.ts';
export * from './request/visitor.ts';
export type { ApiDefinition } from './server/create-api.ts';
export { ACCOUNT_CONDITIONS, ERRORS, SESSION_REFUSALS, type ApiError, type ErrorCode } from './errors.ts';
export { bytesAs, eventStream, form, FORM, mediaTypeOf, ndjson, NDJSON, textAs } from './media-type.ts';
export * from './openapi/openapi.ts';
export * from './passkey-challenge.ts';
export { ReplacedBy, replacedByOf } from './other-sessions.ts';
export {
  accountCondition,
  confirmationRequired,
  exactlyOneOf,
  failedLogin,
  invalidField,
  invalidRequest,
  refusedCaller,
  sessionExists,
  tooManyFailures,
  tooManyMails,
  invalidPassword,
  type Refuse,
} from './refusals.ts';
export * from './checked-fields.ts';
export * from './request/paging.ts';
export type { RequestFacts } from './request/request-facts.ts';
export { openQuery } from './server/prepare.ts';
export { apiSettings, runApi } from './server/run-api.ts';
export {
  defineSubjects,
  placed,
  reply,
  type At,
  type FreshProof,
  type Input,
  type Route,
  type SaysFreshProof,
} from './route.ts';
export { StreamWriter } from './stream/stream-writer.ts';
