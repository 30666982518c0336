export { createVerifier, type Revocation, type Verifier, type VerifierOptions } from './create-verifier.ts';
export { gatehouse } from './middleware.ts';
export type { Caller, Refusal, Unavailable, Verdict } from './verdict.ts';
