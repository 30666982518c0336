import type { AccountWithHash, ActivityKind } from '@gatehouse/db';
import { CONDITION_CODES } from '@gatehouse/schema';
import type { AccountsDeps, Origin } from '../deps.ts';
import { openSession, type BesideOpening, type TokenSet } from '../session/sessions.ts';
import {
  askForSecondFactor,
  loginWithCode,
  loginWithToken,
  type SecondStep,
  type TwoFactorLogin,
} from '../two-factor/two-factor-login.ts';
import type { Throttled } from './attempts.ts';
import { checkPassword, renewHash } from './credentials.ts';
import { asksForSecondFactor, conditionOf, type AccountCondition } from './login-status.ts';

/** The two ways to log in: with the password first, or on with the token that it was answered with. */
export type LoginStep =
  { userName: string; password: string; code?: string | undefined } | { token: string; code: string };

/** How a step of a login ended; `accountId` where the password, or the token that stands for it, was right. */
export type Login =
  | {
      accountId: string;
      sessionId: string;
      tokens: TokenSet;
      /** Where the login has set up the second factor. */
      recoveryCodes?: string[] | undefined;
    }
  | { accountId: string; next: SecondStep }
  | { accountId: string; condition: AccountCondition }
  | { accountId?: string; failed: true }
  | (Throttled & { accountId?: string });

type LoginOrigin = Origin & {
  /** The client's address, IPv6 by /64. */
  addressGroup: string;
  deviceName?: string | undefined;
  /** What is kept with the session that it opens; what that throws leaves everything as it was. */
  beside?: BesideOpening | undefined;
};

/** Takes a step of a login: opens a session, asks for a second factor, or says why not. */
export async function takeLoginStep(
  deps: AccountsDeps,
  step: LoginStep,
  origin: LoginOrigin,
): Promise<Login> {
  const login = await takeStep(deps, step, origin);
  const refusal = refusalKindOf(step, login);
  if (refusal !== undefined) deps.activity.count(refusal);
  return login;
}

/** What the statistics count a login as that was refused. */
function refusalKindOf(step: LoginStep, login: Login): ActivityKind | undefined {
  if ('retryAfterSeconds' in login) return 'refused.throttled';
  if ('condition' in login) return `refused.${CONDITION_CODES[login.condition]}`;
  if (!('failed' in login)) return undefined;
  return 'token' in step || login.accountId !== undefined ? 'refused.second-factor' : 'refused.password';
}

async function takeStep(
  deps: AccountsDeps,
  step: LoginStep,
  { addressGroup, ...origin }: LoginOrigin,
): Promise<Login> {
  if ('token' in step) return resultOf(await loginWithToken(deps, { ...step, addressGroup }, origin));

  const checked = await checkPassword(deps, { ...step, addressGroup });
  if (!('account' in checked)) return checked;
  const { account } = checked;
  const accountId = account.id;
  const condition = conditionOf(account);
  if (condition !== undefined) return { accountId, condition };

  if (account.isTwoFactorEnabled && step.code !== undefined) {
    const login = resultOf(await loginWithCode(deps, { account, code: step.code, addressGroup }, origin));
    if ('tokens' in login) renewBehind(deps, account, step.password);
    return { ...login, accountId };
  }
  if (asksForSecondFactor(account)) {
    const next = await askForSecondFactor(deps, account, origin.deviceName, origin);
    renewBehind(deps, account, step.password);
    return 'stale' in next ? { accountId, failed: true } : { accountId, next };
  }
  const opening = await openSession(deps, account, origin, undefined, origin.beside);
  if ('stale' in opening) return { accountId, failed: true };
  if ('condition' in opening) return { accountId, ...opening };
  renewBehind(deps, account, step.password);
  return { accountId, ...opening };
}

function resultOf(outcome: TwoFactorLogin): Login {
  if (!('opening' in outcome)) return outcome;
  const { opening, accountId, recoveryCodes } = outcome;
  return { accountId, ...opening, ...(recoveryCodes && { recoveryCodes }) };
}

/** Renews the hash behind the answer: the login has happened, and what fails now is done at the next one. */
function renewBehind(deps: AccountsDeps, account: AccountWithHash, password: string): void {
  renewHash(deps, account, password).catch((error: unknown) => {
    deps.log.warn('failed to upgrade a password hash', { accountId: account.id, error });
  });
}
