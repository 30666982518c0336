import type { AssertionJson } from '@gatehouse/auth-core';
import { BY_PASSWORD, toldBan, type AccountWithHash } from '@gatehouse/db';
import { CONDITION_CODES, LoginStatus, type SignInReason } from '@gatehouse/schema';
import type { LoginDeps, Origin } from '../deps.ts';
import { openSession, type OnSessionOpen } from '../session/sessions.ts';
import { loginByEmail } from './login-by-email.ts';
import { takeOverSession } from '../session/slots/take-over-session.ts';
import { loginWithPasskey } from '../passkey/login-with-passkey.ts';
import type { SecondStep } from '../two-factor/second-step.ts';
import {
  requestSecondFactor,
  loginWithCode,
  loginWithToken,
  type SecondFactorProof,
  type TwoFactorLogin,
} from '../two-factor/two-factor-login.ts';
import type { Throttled } from '../checks/attempts.ts';
import { checkPassword, renewHash, type Attempted } from '../checks/credentials.ts';
import type { SignInAttempt } from '../sign-in/sign-in-recorder.ts';
import { requiresSecondFactor, conditionOf, hasSecondFactor } from '../checks/login-status.ts';

/**
 * The steps of a login: a password or a mailed code, then the token from its answer with a second factor; or a passkey
 * alone. Where every slot is taken, the token from that answer.
 */
export type LoginStep =
  | { kind: 'mail-code'; userName: string; code: string; requestToken: string }
  | { kind: 'password'; userName: string; password: string; code?: string | undefined }
  | ({ kind: 'token'; token: string } & SecondFactorProof)
  | { kind: 'passkey'; token: string; credential: AssertionJson }
  /** The token of a login that found every slot taken; it must be that of this account, if one is named. */
  | { kind: 'take-over'; token: string; userName?: string | undefined };

/** The result of a step of a login; with `accountId` if the password, or the token that stands for it, was correct. */
export type Login =
  | Exclude<TwoFactorLogin, { kind: 'failed' } | Throttled>
  | { kind: 'second_factor'; accountId: string; next: SecondStep }
  | ({ kind: 'failed'; accountId?: string; isUnknownPasskey?: boolean } & Attempted)
  | (Throttled & Attempted & { accountId?: string });

type LoginOrigin = Origin & {
  /** The client's address, IPv6 by /64. */
  addressGroup: string;
  deviceName?: string | undefined;
  /** The kind of device that the session is for, which is known. */
  tag?: string | undefined;
  /** Writes data that is stored with the opened session; if it throws, no session is opened. */
  onOpen?: OnSessionOpen | undefined;
};

/** Performs a step of a login: opens a session, asks for a second factor, or returns why not. */
export async function takeLoginStep(deps: LoginDeps, step: LoginStep, origin: LoginOrigin): Promise<Login> {
  const login = await describeBan(deps, await takeStep(deps, step, origin));
  const reason = refusalOf(step, login);
  const attempt = attemptOf(step, login, origin);
  if (reason !== undefined) {
    deps.activity.refused(COUNTED_AS[step.kind], reason);
    deps.signIns.refused(attempt, reason);
  } else if (login.kind === 'second_factor') deps.signIns.secondFactorAsked(attempt);
  return login;
}

/** Adds what the owner of a disabled account may know about it. Only a login with the right password gets here. */
async function describeBan({ db }: LoginDeps, login: Login): Promise<Login> {
  if (login.kind !== 'condition' || login.condition !== LoginStatus.IsDisabled) return login;
  return { ...login, ban: await toldBan.find(db, login.accountId) };
}

/** The attempt, to record how it ended; `openSession` records successes. */
function attemptOf(step: LoginStep, login: Login, origin: LoginOrigin): SignInAttempt {
  const { address, addressGroup, userAgent, traceId } = origin;
  const accountId = login.accountId ?? ('ownerId' in login ? login.ownerId : undefined);
  const method = METHODS[step.kind];
  return { accountId, method, address, addressGroup, userAgent, traceId };
}

const METHODS = {
  password: 'Password',
  token: 'Password',
  passkey: 'Passkey',
  'mail-code': 'MailCode',
  // Its proof may be unknown.
  'take-over': undefined,
} as const;

const COUNTED_AS = {
  password: 'password',
  token: 'password',
  passkey: 'passkey',
  'mail-code': 'email',
  'take-over': 'password',
} as const;

/** Why a login was refused, as a key for the statistics. */
function refusalOf(step: LoginStep, login: Login): SignInReason | undefined {
  switch (login.kind) {
    case 'throttled':
      return 'throttled';
    case 'condition':
      return CONDITION_CODES[login.condition];
    case 'failed': {
      if (step.kind === 'passkey' || step.kind === 'mail-code' || step.kind === 'take-over') return step.kind;
      const isPasswordRight = step.kind === 'token' || login.accountId !== undefined;
      return isPasswordRight ? 'second-factor' : 'password';
    }
    case 'exists':
      return 'session_exists';
    case 'opened':
    case 'second_factor':
      return undefined;
  }
}

async function takeStep(
  deps: LoginDeps,
  step: LoginStep,
  { addressGroup, ...origin }: LoginOrigin,
): Promise<Login> {
  if (step.kind === 'passkey') return loginWithPasskey(deps, { ...step, addressGroup }, origin);
  if (step.kind === 'mail-code') return loginByEmail(deps, { ...step, addressGroup }, origin);
  if (step.kind === 'take-over')
    return takeOverSession(deps, { ...step, userName: step.userName, addressGroup }, origin);
  if (step.kind === 'token') return loginWithToken(deps, { ...step, addressGroup }, origin);

  const typed = { password: step.password, addressGroup };
  const checked = await checkPassword(deps, { ...typed, userName: step.userName });
  if (checked.kind === 'failed' || checked.kind === 'throttled') return checked;
  const { account } = checked;
  const accountId = account.id;
  const condition = conditionOf(account);
  if (condition !== undefined) return { kind: 'condition', accountId, condition };

  const isAsked = requiresSecondFactor(account);
  if (isAsked && hasSecondFactor(account) && step.code !== undefined) {
    const login = await loginWithCode(deps, { account, code: step.code, addressGroup }, origin);
    if (login.kind === 'opened' || login.kind === 'exists') renewBehind(deps, account, typed);
    return { ...login, accountId };
  }
  if (isAsked) {
    const asked = await requestSecondFactor(deps, account, origin);
    renewBehind(deps, account, typed);
    return asked.kind === 'stale'
      ? { kind: 'failed', accountId }
      : { kind: 'second_factor', accountId, next: asked.next };
  }
  const by = { ...origin, authentication: BY_PASSWORD };
  const opening = await openSession(deps, account, by, undefined, origin.onOpen);
  if (opening.kind === 'stale') return { kind: 'failed', accountId };
  if (opening.kind === 'opened' || opening.kind === 'exists') renewBehind(deps, account, typed);
  return { accountId, ...opening };
}

/**
 * Renews the hash without delaying the answer: the login has succeeded, and the next login retries a failed renewal.
 */
function renewBehind(
  deps: LoginDeps,
  account: AccountWithHash,
  typed: { password: string; addressGroup: string },
): void {
  renewHash(deps, account, typed).catch((error: unknown) => {
    deps.log.warn('failed to upgrade a password hash', { accountId: account.id, error });
  });
}
