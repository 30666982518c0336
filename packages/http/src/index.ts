export { AccountExportAnswer, accountExportAnswer, EXPORT_HEADERS } from './account-export.ts';
export {
  browserCookieOf,
  browserSiteFor,
  browserSiteForLogin,
  refuseCrossSite,
  SIGNED_OUT_HEADERS,
  signedOutHeaders,
} from './request/browser-cookie.ts';
export type { ApiDefinition } from './server/create-api.ts';
export {
  ACCOUNT_CONDITIONS,
  ERRORS,
  SESSION_REFUSALS,
  type ApiError,
  type ErrorCode,
  type ErrorFacts,
} from './errors.ts';
export { eventStream, form, FORM, mediaTypeOf, ndjson, NDJSON, textAs } from './media-type.ts';
export { openapi, operationIdOf, type OpenApi } from './openapi/openapi.ts';
export { PasskeyChallenge, passkeyChallenge } from './passkey-challenge.ts';
export { ReplacedBy, replacedByOf } from './other-sessions.ts';
export {
  accountCondition,
  confirmationRequired,
  failedLogin,
  invalidRequest,
  refusedCaller,
  sessionExists,
  tooManyFailures,
  tooManyMails,
  invalidPassword,
  type Refuse,
} from './refusals.ts';
export { readFutureMoment, readSessionTag, SessionTag } from './checked-fields.ts';
export {
  countFields,
  CountedPage,
  countQuery,
  createPaging,
  Page,
  pagingById,
  pagingQuery,
  type Paging,
} from './request/paging.ts';
export type { RequestFacts } from './request/request-facts.ts';
export { openQuery } from './server/prepare.ts';
export { apiSettings, runApi } from './server/run-api.ts';
export {
  defineRoutes,
  reply,
  type FreshProof,
  type Input,
  type Route,
  type SaysFreshProof,
} from './route.ts';
export { StreamWriter } from './stream/stream-writer.ts';
