import {
  allowsEmailLogin,
  asOwner,
  checkCode,
  mailCode,
  ownSession,
  requestMail,
  requiresSecondFactor,
  write,
} from '@gatehouse/accounts';
import type { OwnerProof } from '@gatehouse/accounts';
import { PASSKEY_FIELDS } from '@gatehouse/auth-core';
import { accounts, ssoIdentities } from '@gatehouse/db';
import type { Account, Executor, MailRequestPurpose, Transaction } from '@gatehouse/db';
import { confirmationRequired, invalidField, tooManyFailures, tooManyMails } from '@gatehouse/http';
import type { ApiError, Refuse, RequestFacts } from '@gatehouse/http';
import { Code, Password, TwoFactorCode, Type, typedCode, type Static } from '@gatehouse/schema';
import type { Call } from './deps.ts';

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
export type ProofError = (typeof OWNER_PROOF_ERRORS)[number];

/** @throws {ApiError} if one of the two passkey fields is missing. */
export function readOwnerProof(
  body: Static<typeof OwnerProofBody>,
  caller: Parameters<typeof ownSession>[0],
  request: RequestFacts,
) {
  const { Password: password, TwoFactorCode: code, PasskeyToken: token, Credential: credential } = body;
  if ((token === undefined) !== (credential === undefined))
    throw invalidField(token === undefined ? '/PasskeyToken' : '/Credential');
  return {
    ...ownSession(caller),
    addressGroup: request.addressGroup,
    password,
    code: code === undefined ? undefined : typedCode(code),
    passkey: token === undefined || credential === undefined ? undefined : { token, credential },
  };
}

/** The code from a mail to the account's address, where a change of what opens the account asks for it. */
export const MAILBOX_FIELDS = {
  MailCode: Type.Optional(
    Code(
      'The code from the email that a request without it has sent, if the account can log in with mailed codes',
    ),
  ),
};

/**
 * Checks a code that was mailed to the account's present address, or mails one. Where the mailbox opens the account, a
 * change of what opens it must not be possible with a stolen session alone, or leave its owner with a mailbox that they
 * cannot read. Elsewhere nothing is asked. Returns what uses the code up, or `false` if another request used it first.
 */
export async function proveMailbox(
  call: Call<'mail_code_required' | 'invalid_code' | 'too_many_requests'>,
  account: Account,
  given: string | undefined,
): Promise<(tx: Transaction) => Promise<boolean>> {
  const { deps, request, refuse } = call;
  if (!allowsEmailLogin(deps.settings, account)) return () => Promise.resolve(true);
  if (given === undefined) {
    await write(deps, asOwner(account.id, request), async (tx) => {
      const locked = await accounts.lockById(tx, account.id);
      if (locked !== undefined) await mailCode(deps, tx, locked, 'mailbox', request);
    });
    throw refuse('mail_code_required');
  }
  return (await requireCode(call, { account, purpose: 'mailbox', typed: given })).use;
}

export function proofError(
  refuse: Refuse<ProofError>,
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

export type Proved = Extract<OwnerProof, { kind: 'proved' }>;

/** @throws {ApiError} if the caller's identity is not proved. */
export function proved(refuse: Refuse<ProofError>, proof: OwnerProof): Proved {
  if (proof.kind !== 'proved') throw proofError(refuse, proof);
  return proof;
}

/** @throws {ApiError} if the code from a mail is not correct. */
export async function requireCode(
  { deps, request: { addressGroup }, refuse }: Call<'invalid_code' | 'too_many_requests'>,
  { typed, ...shown }: Omit<Parameters<typeof checkCode>[1], 'addressGroup'>,
) {
  const code = await checkCode(deps, { ...shown, typed: typedCode(typed), addressGroup });
  if (code.kind === 'throttled') throw tooManyFailures(refuse, code);
  if (code.kind === 'failed') throw refuse('invalid_code');
  return code;
}

/** Records an anonymous request of a code by mail: every email gets the same response after the same time. */
export async function requestCode(
  { deps, request, refuse }: Call<'too_many_requests'>,
  asked: { email: string; purpose: MailRequestPurpose; requestHash?: Buffer },
): Promise<object> {
  const { addressGroup } = request;
  const limited = await requestMail(deps, { ...asked, table: 'reset_request', addressGroup }, request);
  if (limited !== undefined) throw tooManyMails(refuse, limited);
  return {};
}

/** What a change has given, which returns a refusal instead of throwing it where what it has written stays. */
export function orThrow<T extends object>(result: T | ApiError): T {
  if (result instanceof Error) throw result;
  return result;
}

/** `false` if a second factor is required: whether a sign-on is enough then depends on the provider. */
export async function canSignOn(executor: Executor, account: Account, providers: readonly string[]) {
  if (requiresSecondFactor(account)) return false;
  const own = await ssoIdentities.findOfAccount(executor, account.id);
  return own.some(({ provider }) => providers.includes(provider));
}
