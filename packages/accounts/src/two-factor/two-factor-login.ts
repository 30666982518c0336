import { hashInvitationToken, newInvitationToken, PasskeyRequestOptions } from '@gatehouse/auth-core';
import type { AssertionJson } from '@gatehouse/auth-core';
import {
  accounts,
  inTransaction,
  passkeys as ownPasskeys,
  recoveryCodes,
  twoFactor,
  twoFactorChallenges,
} from '@gatehouse/db';
import type { Account, FirstFactor, Transaction } from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import { Enum, Integers, LoginStatus, SessionStatus, Type, type Static } from '@gatehouse/schema';
import { FAILED_CHECK, withAddressThrottle, withSecondFactorThrottle } from '../checks/attempts.ts';
import type { CheckResult, Throttled } from '../checks/attempts.ts';
import { withOwner, type Attempted } from '../checks/credentials.ts';
import { hasSecondFactor } from '../checks/login-status.ts';
import { mailNotice } from '../checks/mailing.ts';
import type { OpeningDeps, Origin, SecondFactorDeps, ThrottleDeps } from '../deps.ts';
import { checkAssertion, issueChallenge, reportClone, type PresentedAssertion } from '../passkey/passkey.ts';
import { endSessions, openSession, publishSessions } from '../session/open-and-end.ts';
import type { LoginOrigin, Opening } from '../session/open-and-end.ts';
import { isAlone } from '../session/slots.ts';
import { canBeSecondFactor, enableTwoFactor, findProof, findStep, newSecret } from './second-factor.ts';
import type { Proof } from './second-factor.ts';

type Deps = SecondFactorDeps & OpeningDeps & ThrottleDeps;

const CHALLENGE_SECONDS = 300;
const CHALLENGE_TRIES = 5;

const SECOND_FACTORS = ['Totp', 'RecoveryCode', 'Passkey'] as const;

const StepToken = Type.String({
  description: 'Replaces the password in the next request. Valid for five minutes and five codes.',
});

export const TwoFactorSetup = Type.Object(
  {
    Secret: Type.String({ description: 'The secret in base 32, for manual entry in an authenticator app' }),
    OtpAuthUri: Type.String({ description: 'The secret as an otpauth URI, for a QR code' }),
  },
  { title: 'TwoFactorSetup' },
);

/** The responses of a login that asks for a second factor, or requires setting one up. */
export const SECOND_STEPS = [
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorCodeRequired: LoginStatus.TwoFactorCodeRequired }),
      TwoFactorToken: StepToken,
      SecondFactors: Type.Array(Enum(SECOND_FACTORS), {
        description:
          'The accepted second factors: a code from the authenticator app, a recovery code, or a passkey',
      }),
      PasskeyOptions: Type.Optional(PasskeyRequestOptions),
    },
    { title: 'TwoFactorCodeRequired' },
  ),
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorSetupRequired: LoginStatus.TwoFactorSetupRequired }),
      TwoFactorToken: StepToken,
      TwoFactorSetup,
    },
    { title: 'TwoFactorSetupRequired' },
  ),
] as const;

export type SecondStep = Static<(typeof SECOND_STEPS)[number]>;

export const RecoveryCodes = Type.Array(Type.String(), {
  description:
    'Present if two-factor authentication has just been set up. Each code can be used once. Shown only in this ' +
    'response.',
});

/** The result of a login with a second factor; with `recoveryCodes` if the login set the factor up. */
export type TwoFactorLogin =
  | (Exclude<Opening, { kind: 'stale' }> & { accountId: string; recoveryCodes?: string[] | undefined })
  | ({ kind: 'failed' } & Attempted)
  | (Throttled & Attempted);

/**
 * Asks for the second factor, or to set one up, with a token for the first: each with its own secret, so that
 * concurrent logins do not disturb each other. `first.use` uses the first one up; `false` if another request did.
 */
export async function requestSecondFactor(
  deps: Deps,
  account: Account,
  { deviceName, tag: sessionTag, ...deadline }: Pick<LoginOrigin, 'deviceName' | 'tag'> & Deadline,
  first: FirstStep = { by: 'password' },
): Promise<Asked> {
  const fresh = hasSecondFactor(account) ? undefined : newSecret(deps, account);
  const token = newInvitationToken();
  const challenge = {
    tokenHash: hashInvitationToken(token),
    accountId: account.id,
    firstFactor: first.by,
    passwordVersion: account.passwordVersion,
    secretSealed: fresh?.secretSealed,
    deviceName,
    sessionTag,
    tries: CHALLENGE_TRIES,
    lifetimeSeconds: CHALLENGE_SECONDS,
  };
  return inTransaction<Asked>(deps.db, deadline, async (tx, rollBack) => {
    if (first.use !== undefined) {
      await accounts.lockById(tx, account.id);
      if (!(await first.use(tx))) return rollBack({ kind: 'stale' });
    }
    if (!(await twoFactorChallenges.insert(tx, challenge))) return rollBack({ kind: 'stale' });
    if (fresh === undefined) return { kind: 'asked', next: await secondStepOf(deps, tx, account, token) };
    const next = {
      LoginStatus: LoginStatus.TwoFactorSetupRequired,
      TwoFactorToken: token,
      TwoFactorSetup: fresh.setup,
    };
    return { kind: 'asked', next };
  });
}

type Asked = { kind: 'asked'; next: SecondStep } | { kind: 'stale' };

/** The token also names the challenge for passkeys, which may be listed, as the password was correct. */
async function secondStepOf(
  { passkeys }: Pick<SecondFactorDeps, 'passkeys'>,
  tx: Transaction,
  account: Account,
  token: string,
): Promise<SecondStep> {
  const known = passkeys === undefined ? [] : await ownPasskeys.findKnown(tx, account.id);
  const names: [(typeof SECOND_FACTORS)[number], boolean][] = [
    ['Totp', account.isTwoFactorEnabled],
    ['RecoveryCode', (await recoveryCodes.countLeft(tx, account.id)) > 0],
    ['Passkey', known.length > 0],
  ];
  const step = {
    LoginStatus: LoginStatus.TwoFactorCodeRequired,
    TwoFactorToken: token,
    SecondFactors: names.flatMap(([name, isThere]) => (isThere ? [name] : [])),
  };
  if (passkeys === undefined || known.length === 0) return step;
  const { challenge } = await issueChallenge(tx, 'second-factor', account, token);
  return { ...step, PasskeyOptions: passkeys.requestOptions(challenge, known) };
}

export async function loginWithCode(
  deps: Deps,
  { account, code, addressGroup }: { account: Account; code: string; addressGroup: string },
  origin: LoginOrigin,
): Promise<TwoFactorLogin> {
  if (!canBeSecondFactor(code)) return { kind: 'failed' };
  return withAddressThrottle(deps, { addressGroup }, () =>
    withSecondFactorThrottle(deps, { account, addressGroup }, async () =>
      loginWithProof(deps, account, await findProof(deps, account.id, code), { by: 'password' }, origin),
    ),
  );
}

export type SecondFactorProof = { code: string } | { credential: AssertionJson };

/** An unknown, used or expired token is like a wrong code; each allows five codes or signatures. */
export async function loginWithToken(
  deps: Deps,
  { token, addressGroup, ...submitted }: { token: string; addressGroup: string } & SecondFactorProof,
  origin: LoginOrigin,
): Promise<TwoFactorLogin> {
  if ('code' in submitted && !canBeSecondFactor(submitted.code)) return { kind: 'failed' };
  const tokenHash = hashInvitationToken(token);
  return withAddressThrottle<TwoFactorLogin>(deps, { addressGroup }, async () => {
    const challenge = await twoFactorChallenges.find(deps.db, tokenHash);
    const account = challenge && (await accounts.findById(deps.db, challenge.accountId));
    if (challenge === undefined || account === undefined) return FAILED_CHECK;
    const check = async (): Promise<CheckResult<TwoFactorLogin>> => {
      if (!(await twoFactorChallenges.takeTry(deps.db, tokenHash))) return FAILED_CHECK;
      const first = {
        by: challenge.firstFactor,
        use: (tx: Transaction) => twoFactorChallenges.use(tx, tokenHash),
      };
      const from = {
        ...origin,
        deviceName: origin.deviceName ?? challenge.deviceName ?? undefined,
        tag: origin.tag ?? challenge.sessionTag ?? undefined,
      };
      const { secretSealed } = challenge;
      if (secretSealed !== null)
        return 'code' in submitted
          ? loginWithSetup(deps, account, { code: submitted.code, secretSealed }, first, from)
          : FAILED_CHECK;
      const proof =
        'code' in submitted
          ? await findProof(deps, account.id, submitted.code)
          : await findPasskeyProof(deps, account.id, { ...submitted, token }, origin);
      return loginWithProof(deps, account, proof, first, from);
    };
    return withOwner(await withSecondFactorThrottle(deps, { account, addressGroup }, check), account.id);
  });
}

/** A passkey's signature as the account's second factor; `undefined` if it is not valid. */
async function findPasskeyProof(
  deps: Deps,
  accountId: string,
  presented: PresentedAssertion,
  origin: Origin,
): Promise<Proof | undefined> {
  const checked = await checkAssertion(deps, 'second-factor', presented, origin);
  if (checked.kind === 'cloned') await reportClone(deps, checked, origin);
  if (checked.kind !== 'right' || checked.accountId !== accountId) return undefined;
  return { isRecovery: false, passkeyId: checked.passkeyId, use: checked.use };
}

/** The first step of a login; `use` uses up the token that stands for it, if there is one. */
export interface FirstStep {
  by: FirstFactor;
  use?: (tx: Transaction) => Promise<boolean>;
}

async function loginWithProof(
  deps: Deps,
  account: Account,
  proof: Proof | undefined,
  first: FirstStep,
  origin: LoginOrigin,
): Promise<CheckResult<TwoFactorLogin>> {
  if (proof === undefined) return FAILED_CHECK;
  const prove = async (tx: Transaction): Promise<boolean> => {
    if ((await first.use?.(tx)) === false || !(await proof.use(tx))) return false;
    if (proof.isRecovery) await mailNotice(deps, tx, account, 'account.recovery-code-used', {}, origin);
    return true;
  };
  const { passkeyId } = proof;
  const second = passkeyId === undefined ? 'second-factor' : 'passkey';
  const authentication = { by: [first.by, second], ageSeconds: 0, passkeyId } as const;
  const opening = await openSession(deps, account, { ...origin, authentication }, prove, origin.onOpen);
  return resultOf(opening, { accountId: account.id });
}

async function loginWithSetup(
  deps: Deps,
  account: Account,
  { code, secretSealed }: { code: string; secretSealed: Buffer },
  first: FirstStep,
  origin: LoginOrigin,
): Promise<CheckResult<TwoFactorLogin>> {
  const step = findStep(deps, account.id, secretSealed, code);
  if (step === undefined) return FAILED_CHECK;
  const { passwordVersion } = account;
  let codes: string[] | undefined;
  let ended: string[] = [];
  const prove = async (tx: Transaction): Promise<boolean> => {
    // The token stands for the password only, which is not enough if the account has got a passkey since.
    if ((await ownPasskeys.count(tx, account.id)) > 0) return false;
    if ((await first.use?.(tx)) === false) return false;
    if (!(await twoFactor.begin(tx, account.id, secretSealed, passwordVersion))) return false;
    codes = await enableTwoFactor(deps, tx, account, { secretSealed, step }, origin);
    // If the account has a single session, the login itself ends the others, as replaced.
    if (!isAlone(deps, account)) {
      const target = { kind: 'account', accountId: account.id } as const;
      const ending = { status: SessionStatus.Deactivated, reason: 'two_factor_enabled' } as const;
      ended = await endSessions(deps, tx, target, { ...ending, changedBy: account.id }, origin);
    }
    return codes !== undefined;
  };
  const authentication = { by: [first.by, 'second-factor'], ageSeconds: 0 } as const;
  const opening = await openSession(deps, account, { ...origin, authentication }, prove, origin.onOpen);
  if (opening.kind === 'opened') await publishSessions(deps, ended);
  return resultOf(opening, { accountId: account.id, recoveryCodes: codes });
}

function resultOf(
  opening: Opening,
  facts: { accountId: string; recoveryCodes?: string[] | undefined },
): CheckResult<TwoFactorLogin> {
  if (opening.kind === 'stale') return FAILED_CHECK;
  const counts = opening.kind === 'condition' ? 'partialSuccess' : 'succeeded';
  return { counts, outcome: { ...opening, ...facts } };
}
