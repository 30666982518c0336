import { ownSession, type CodeOutcome, type MailboxProof, type OwnerProof } from '@gatehouse/accounts';
import { PASSKEY_FIELDS } from '@gatehouse/auth-core';
import {
  confirmationRequired,
  invalidRequest,
  tooManyFailures,
  type ApiError,
  type Refuse,
  type RequestFacts,
} from '@gatehouse/http';
import {
  Code,
  Password,
  TwoFactorCode,
  Type,
  typedCode,
  type FaultCode,
  type Static,
} from '@gatehouse/schema';

/** Confirms the owner's identity: one of the three, or none within five minutes of a login or a confirmation. */
export const OwnerProofBody = Type.Object({
  Password: Type.Optional(Password()),
  TwoFactorCode: Type.Optional(TwoFactorCode()),
  ...PASSKEY_FIELDS,
});

export const OWNER_PROOF_ERRORS = [
  'confirmation_required',
  'wrong_password',
  'wrong_code',
  'too_many_requests',
] as const;

/** Reads the caller and the proof of identity. @throws {ApiError} if one of the two passkey fields is missing. */
export function readOwnerProof(
  body: Static<typeof OwnerProofBody>,
  caller: Parameters<typeof ownSession>[0],
  request: RequestFacts,
) {
  const { Password: password, TwoFactorCode: code, PasskeyToken: token, Credential: credential } = body;
  if ((token === undefined) !== (credential === undefined)) {
    const pointer = token === undefined ? '/PasskeyToken' : '/Credential';
    throw invalidField(pointer);
  }
  return {
    ...ownSession(caller),
    addressGroup: request.addressGroup,
    password,
    code: code === undefined ? undefined : typedCode(code),
    passkey: token === undefined || credential === undefined ? undefined : { token, credential },
  };
}

/** The error for a field that only the state of the account makes invalid. */
export function invalidField(
  pointer: string,
  message = 'is required',
  code: FaultCode = 'required',
): ApiError {
  return invalidRequest(undefined, { errors: [{ pointer, message, code }] });
}

/** The code from a mail to the account's address, where a change of what opens the account asks for it. */
export const MAILBOX_FIELDS = {
  MailCode: Type.Optional(
    Code(
      'The code from the email that a request without it has sent, if the account can log in with mailed codes',
    ),
  ),
};

/** @throws {ApiError} if the caller has not proved that they read the account's mails. */
export function mailboxProved(
  refuse: Refuse<'mail_code_required' | 'invalid_code' | 'too_many_requests'>,
  proof: MailboxProof,
): Extract<MailboxProof, { kind: 'proved' }> {
  if (proof.kind === 'throttled') throw tooManyFailures(refuse, proof);
  if (proof.kind === 'mailbox') throw refuse(proof.is === 'needed' ? 'mail_code_required' : 'invalid_code');
  return proof;
}

/** The error for a caller whose identity is not confirmed. */
export function proofError(
  refuse: Refuse<(typeof OWNER_PROOF_ERRORS)[number]>,
  proof: Exclude<OwnerProof, { kind: 'proved' }>,
): ApiError {
  switch (proof.kind) {
    case 'throttled':
      return tooManyFailures(refuse, proof);
    case 'unproven':
      return confirmationRequired(refuse);
    case 'wrong':
      return proof.shown === 'password'
        ? refuse('wrong_password')
        : refuse('wrong_code', proof.shown === 'passkey' ? 'The passkey was not accepted' : undefined);
  }
}

/** A proof of the caller's identity. */
export type Proved = Extract<OwnerProof, { kind: 'proved' }>;

/** @throws {ApiError} if the caller's identity is not proved. */
export function proved(refuse: Refuse<(typeof OWNER_PROOF_ERRORS)[number]>, proof: OwnerProof): Proved {
  if (proof.kind !== 'proved') throw proofError(refuse, proof);
  return proof;
}

/** @throws {ApiError} if the code from a mail is not correct. */
export function rightCode(
  refuse: Refuse<'invalid_code' | 'too_many_requests'>,
  code: CodeOutcome,
): Extract<CodeOutcome, { kind: 'right' }> {
  if (code.kind === 'throttled') throw tooManyFailures(refuse, code);
  if (code.kind === 'failed') throw refuse('invalid_code');
  return code;
}

/** What a change has given. It returns a refusal instead of throwing it where what it has written stays. */
export function orThrow<T extends object>(result: T | ApiError): T {
  if (result instanceof Error) throw result;
  return result;
}
