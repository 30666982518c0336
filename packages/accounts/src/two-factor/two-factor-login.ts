import { hashInvitationToken, newInvitationToken, type TotpSetup } from '@gatehouse/auth-core';
import { LoginStatus } from '@gatehouse/schema';
import {
  accounts,
  inTransaction,
  twoFactor,
  twoFactorChallenges,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import {
  beginFromAddress,
  withSecondFactorThrottle,
  withThrottle,
  type CheckResult,
  type Throttled,
} from '../login/attempts.ts';
import type { AccountsDeps, Origin } from '../deps.ts';
import { mailNotice } from '../mail/mailing.ts';
import { canBeSecondFactor, findProof, findStep, newSecret } from './second-factor.ts';
import { endSessions, openSession, publishSessions, type BesideOpening, type Opening } from '../session/sessions.ts';
import { enabledBy, enableTwoFactor } from './two-factor.ts';

const CHALLENGE_SECONDS = 300;
const CHALLENGE_TRIES = 5;

/** What a right password is answered with where a second factor is asked for. */
export type SecondStep =
  | { LoginStatus: typeof LoginStatus.TwoFactorCodeRequired; TwoFactorToken: string }
  | {
      LoginStatus: typeof LoginStatus.TwoFactorSetupRequired;
      TwoFactorToken: string;
      TwoFactorSetup: TotpSetup;
    };

/** How a login with a second factor ended; `recoveryCodes` when it set that up. */
export type TwoFactorLogin =
  | { opening: Exclude<Opening, { stale: true }>; accountId: string; recoveryCodes?: string[] | undefined }
  | { failed: true }
  | Throttled;

type LoginOrigin = Origin & { deviceName?: string | undefined; beside?: BesideOpening | undefined };

/**
 * Asks whoever has just shown the right password for the second factor, or to set one up. The token stands for
 * that password; every login that sets up has a secret of its own, so that one spoils no other's.
 */
export async function askForSecondFactor(
  deps: AccountsDeps,
  account: Account,
  deviceName: string | undefined,
  deadline: Deadline,
): Promise<SecondStep | { stale: true }> {
  const fresh = account.isTwoFactorEnabled ? undefined : newSecret(deps, account);
  const token = newInvitationToken();
  const challenge = {
    tokenHash: hashInvitationToken(token),
    accountId: account.id,
    passwordVersion: account.passwordVersion,
    secretSealed: fresh?.secretSealed,
    deviceName,
    tries: CHALLENGE_TRIES,
    lifetimeSeconds: CHALLENGE_SECONDS,
  };
  const isAdded = await inTransaction(deps.db, deadline, (tx) => twoFactorChallenges.insert(tx, challenge));
  if (!isAdded) return { stale: true };
  return fresh === undefined
    ? { LoginStatus: LoginStatus.TwoFactorCodeRequired, TwoFactorToken: token }
    : {
        LoginStatus: LoginStatus.TwoFactorSetupRequired,
        TwoFactorToken: token,
        TwoFactorSetup: fresh.setup,
      };
}

/** Logs in an account whose password was shown, with a second factor from the same call. */
export async function loginWithCode(
  deps: AccountsDeps,
  { account, code, addressGroup }: { account: Account; code: string; addressGroup: string },
  origin: LoginOrigin,
): Promise<TwoFactorLogin> {
  if (!canBeSecondFactor(code)) return { failed: true };
  const checked = await withThrottle(await beginFromAddress(deps, addressGroup), () =>
    withSecondFactorThrottle(deps, { account, addressGroup }, () =>
      loginWithProof(deps, account, code, origin),
    ),
  );
  return checked.outcome;
}

/**
 * Goes on with a login by the token that its password was answered with. An unknown, used or expired token is
 * answered as a wrong code is; each token takes five codes.
 */
export async function loginWithToken(
  deps: AccountsDeps,
  { token, code, addressGroup }: { token: string; code: string; addressGroup: string },
  origin: LoginOrigin,
): Promise<TwoFactorLogin> {
  if (!canBeSecondFactor(code)) return { failed: true };
  const tokenHash = hashInvitationToken(token);
  const checked = await withThrottle(
    await beginFromAddress(deps, addressGroup),
    async (): Promise<CheckResult<TwoFactorLogin>> => {
      const challenge = await twoFactorChallenges.find(deps.db, tokenHash);
      const account = challenge && (await accounts.findById(deps.db, challenge.accountId));
      if (challenge === undefined || account === undefined) return FAILED;
      return withSecondFactorThrottle(deps, { account, addressGroup }, async () => {
        if (!(await twoFactorChallenges.takeTry(deps.db, tokenHash))) return FAILED;
        const useToken = (tx: Transaction) => twoFactorChallenges.use(tx, tokenHash);
        const from = { ...origin, deviceName: origin.deviceName ?? challenge.deviceName ?? undefined };
        const { secretSealed } = challenge;
        return secretSealed === null
          ? loginWithProof(deps, account, code, from, useToken)
          : loginWithSetup(deps, account, { code, secretSealed }, from, useToken);
      });
    },
  );
  return checked.outcome;
}

const FAILED: CheckResult<{ failed: true }> = { counts: 'failed', outcome: { failed: true } };

async function loginWithProof(
  deps: AccountsDeps,
  account: Account,
  code: string,
  origin: LoginOrigin,
  useToken: (tx: Transaction) => Promise<boolean> = () => Promise.resolve(true),
): Promise<CheckResult<TwoFactorLogin>> {
  const proof = await findProof(deps, account.id, code);
  if (proof === undefined) return FAILED;
  const prove = async (tx: Transaction): Promise<boolean> => {
    if (!(await useToken(tx)) || !(await proof.use(tx))) return false;
    const told = { UserId: account.id };
    if (proof.isRecovery) await mailNotice(deps, tx, account, 'account.recovery-code-used', told, origin);
    return true;
  };
  const opening = await openSession(deps, account, origin, prove, origin.beside);
  return resultOf(opening, { accountId: account.id });
}

async function loginWithSetup(
  deps: AccountsDeps,
  account: Account,
  { code, secretSealed }: { code: string; secretSealed: Buffer },
  origin: LoginOrigin,
  useToken: (tx: Transaction) => Promise<boolean>,
): Promise<CheckResult<TwoFactorLogin>> {
  const step = findStep(deps, account.id, secretSealed, code);
  if (step === undefined) return FAILED;
  const begun = { secretSealed, passwordVersion: account.passwordVersion };
  let recoveryCodes: string[] | undefined;
  let ended: string[] = [];
  const prove = async (tx: Transaction): Promise<boolean> => {
    if (!(await useToken(tx)) || !(await twoFactor.begin(tx, account.id, begun))) return false;
    recoveryCodes = await enableTwoFactor(deps, tx, account, { secretSealed, step }, origin);
    // Under single-session enforcement the login itself ends them, as replaced.
    if (!deps.settings.SINGLE_SESSION) {
      ended = await endSessions(deps, tx, { accountId: account.id }, enabledBy(account.id), origin);
    }
    return recoveryCodes !== undefined;
  };
  const opening = await openSession(deps, account, origin, prove, origin.beside);
  if ('tokens' in opening) await publishSessions(deps, ended);
  return resultOf(opening, { accountId: account.id, recoveryCodes });
}

function resultOf(
  opening: Opening,
  facts: { accountId: string; recoveryCodes?: string[] | undefined },
): CheckResult<TwoFactorLogin> {
  if ('stale' in opening) return FAILED;
  return { counts: 'tokens' in opening ? 'succeeded' : 'partialSuccess', outcome: { opening, ...facts } };
}
