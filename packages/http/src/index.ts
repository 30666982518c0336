export { addressGroup } from './client-address.ts';
export { createApi, type Api } from './create-api.ts';
export { accountCondition, ApiError, ERRORS, type ErrorCode, type ErrorFacts } from './errors.ts';
export { inEvenTime } from './even-time.ts';
export { openapi, operationIdOf, type OpenApi } from './openapi.ts';
export { tooManyFailures, tooManyMails, unfitPassword } from './refusals.ts';
export { createPaging, Page, pagingQuery, type Paging } from './paging.ts';
export type { RequestFacts } from './request-facts.ts';
export { defineRoutes, reply, type Input, type Route } from './route.ts';
export {
  issuingSettings,
  serviceSettings,
  twoFactorSettings,
  verifyingSettings,
} from './service-settings.ts';
