export { createVerifier, type Revocation, type Verifier, type VerifierOptions } from './create-verifier.ts';
export { gatehouse, type GatehouseOptions } from './middleware.ts';
export { resourceMetadata, type ProtectedResource, type ResourceOptions } from './resource.ts';
export type { Caller, Refusal, Unavailable, Verdict } from './verdict.ts';
