export type * from './api/api-types.ts';
export { FaceMatchType, LoginStatus, PingStatus, SessionStatus } from './api/api-types.ts';
export { type Api, type CallOptions } from './api/call-api.ts';
export { createClient, type ClientOptions, type GatehouseClient } from './create-client.ts';
export { type Ending, type EndingReason } from './session/ending.ts';
export { GatehouseError, type ClientErrorCode } from './api/gatehouse-error.ts';
export { type KeepAlive } from './keep-alive/keep-alive.ts';
export {
  type Credentials,
  type LoginOutcome,
  type MailedCredentials,
  type PasskeyStep,
  type Refused,
  type SessionExists,
} from './login/login.ts';
export { readMailLink, type MailLink, type Place } from './login/mail-link.ts';
export type { SignOnError, SignOnOutcome } from './login/ways-in.ts';
export { type ClientEvents, type ClientState, type CurrentSession } from './session/state.ts';
export { type Kept, type KeptSession, type TokenStorage } from './session/token-storage.ts';
