export { addressGroup } from './client-address.ts';
export { createApi, type Api } from './create-api.ts';
export { accountCondition, ApiError, ERRORS, type ErrorCode, type ErrorFacts } from './errors.ts';
export { openapi, type OpenApi } from './openapi.ts';
export type { RequestFacts } from './request-facts.ts';
export { defineRoutes, reply, type Input, type Route } from './route.ts';
export { serviceSettings } from './service-settings.ts';
