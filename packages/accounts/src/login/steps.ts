import { hashInvitationToken, PASSKEY_FIELDS } from '@gatehouse/auth-core';
import { accounts, sessionTakeOvers } from '@gatehouse/db';
import type { Account, AccountWithHash, Transaction } from '@gatehouse/db';
import {
  Code,
  CONDITION_CODES,
  emailKey,
  LoginStatus,
  normalizeEmail,
  Optional,
  Password as PasswordText,
  TwoFactorCode as TwoFactorCodeText,
  Type,
  typedCode,
  UserName,
} from '@gatehouse/schema';
import type { Problem, SignInMethod, SignInReason, Static, TObject } from '@gatehouse/schema';
import type { LoginDeps } from '../deps.ts';
import { FAILED_CHECK, withAddressThrottle, type Throttled } from '../checks/attempts.ts';
import { LOGIN_KINDS } from '../checks/count-on-commit.ts';
import { checkPassword, renewHash, withOwner, type Attempted } from '../checks/credentials.ts';
import { conditionOf, requiresSecondFactor, usesSecondFactor } from '../checks/login-status.ts';
import { checkMailCode, settleEmail } from '../email-login/email-login.ts';
import { loginWithPasskey } from '../passkey/passkey.ts';
import { openSession, type LoginOrigin } from '../session/open-and-end.ts';
import { loginWithCode, loginWithToken, requestSecondFactor } from '../two-factor/two-factor-login.ts';
import type { FirstStep, SecondStep, TwoFactorLogin } from '../two-factor/two-factor-login.ts';

/** The fields of a login request; `loginForms` lists the valid combinations. */
export const LOGIN_FIELDS = {
  Username: Type.Optional(UserName()),
  Password: Type.Optional(PasswordText()),
  TwoFactorToken: Optional.String({ minLength: 1, maxLength: 512 }),
  TwoFactorCode: Type.Optional(TwoFactorCodeText()),
  ...PASSKEY_FIELDS,
  TakeOverToken: Optional.String({
    minLength: 1,
    maxLength: 512,
    description:
      'From the error `session_exists`: ends the session that was not seen for the longest time, and stands for the ' +
      'whole login, whose other fields are then not needed. Works once, within two minutes.',
  }),
};

export const MAIL_CODE_FIELDS = {
  MailCode: Type.Optional(Code('The code that `POST /account/login/email` has mailed, such as 7KQ2-M9XD')),
  RequestToken: Optional.String({
    maxLength: 512,
    description: 'The token from the response of `POST /account/login/email`',
  }),
};

const ALL_FIELDS = { ...LOGIN_FIELDS, ...MAIL_CODE_FIELDS };
type LoginBody = Static<TObject<typeof ALL_FIELDS>>;
type Field = keyof LoginBody;

/** The result of a step of a login; with `accountId` if the password, or the token that stands for it, was correct. */
export type Login =
  | Exclude<TwoFactorLogin, { kind: 'failed' } | Throttled>
  | { kind: 'second_factor'; accountId: string; next: SecondStep }
  | ({ kind: 'failed'; accountId?: string; isUnknownPasskey?: boolean } & Attempted)
  | (Throttled & Attempted & { accountId?: string });

interface Step<F extends Field> {
  /** The name of its fields in the OpenAPI document. */
  form: string;
  fields: readonly F[];
  /** A field that it may have besides. */
  also?: Field;
  /** Whether other fields are ignored, not refused. */
  ignoresOthers?: true;
  /** Whether a request means this step: of several, the last in the list; of none, the first. */
  isMeant?: (body: LoginBody) => boolean;
  /** How its attempts are recorded; `undefined` if the proof may be unknown. */
  method: SignInMethod | undefined;
  refusal: (failed: { accountId?: string }) => SignInReason;
  take: (deps: LoginDeps, given: Given<F>, origin: LoginOrigin) => Promise<Login>;
}

type Given<F extends Field> = LoginBody & Required<Pick<LoginBody, F>> & { addressGroup: string };

const STEPS = [
  defineStep({
    form: 'WithPassword',
    fields: ['Username', 'Password'],
    also: 'TwoFactorCode',
    method: 'Password',
    refusal: ({ accountId }) => (accountId === undefined ? 'password' : 'second-factor'),
    take: loginWithPassword,
  }),
  defineStep({
    form: 'WithSecondFactor',
    fields: ['TwoFactorToken', 'TwoFactorCode'],
    isMeant: ({ TwoFactorToken }) => TwoFactorToken !== undefined,
    method: 'Password',
    refusal: () => 'second-factor',
    take: (deps, { TwoFactorToken: token, TwoFactorCode, addressGroup }, origin) =>
      loginWithToken(deps, { token, code: typedCode(TwoFactorCode), addressGroup }, origin),
  }),
  defineStep({
    form: 'WithPasskeyAsSecondFactor',
    fields: ['TwoFactorToken', 'Credential'],
    isMeant: ({ TwoFactorToken, Credential }) => TwoFactorToken !== undefined && Credential !== undefined,
    method: 'Password',
    refusal: () => 'second-factor',
    take: (deps, { TwoFactorToken: token, Credential: credential, addressGroup }, origin) =>
      loginWithToken(deps, { token, credential, addressGroup }, origin),
  }),
  defineStep({
    form: 'WithPasskey',
    fields: ['PasskeyToken', 'Credential'],
    isMeant: ({ PasskeyToken, TwoFactorToken, Credential }) =>
      PasskeyToken !== undefined || (TwoFactorToken === undefined && Credential !== undefined),
    method: 'Passkey',
    refusal: () => 'passkey',
    take: (deps, { PasskeyToken: token, Credential: credential, addressGroup }, origin) =>
      loginWithPasskey(deps, { token, credential, addressGroup }, origin),
  }),
  defineStep({
    form: 'ToTakeOver',
    fields: ['TakeOverToken'],
    // A client may repeat the login as it was: the token stands for its proof, which was used up.
    ignoresOthers: true,
    isMeant: ({ TakeOverToken }) => TakeOverToken !== undefined,
    method: undefined,
    refusal: () => 'take-over',
    take: (deps, { TakeOverToken: token, Username: userName, addressGroup }, origin) =>
      takeOverSession(deps, { token, userName, addressGroup }, origin),
  }),
  defineStep({
    form: 'WithMailCode',
    fields: ['Username', 'MailCode', 'RequestToken'],
    isMeant: ({ MailCode, RequestToken, TakeOverToken }) =>
      TakeOverToken === undefined && (MailCode !== undefined || RequestToken !== undefined),
    method: 'MailCode',
    refusal: () => 'mail-code',
    take: loginWithMailCode,
  }),
] as const;

interface LoginStep extends Pick<Step<Field>, 'method' | 'refusal'> {
  kind: 'step';
  take: (deps: LoginDeps, origin: FromAddress) => Promise<Login>;
}

/** The origin with the client's address, IPv6 by /64. */
type FromAddress = LoginOrigin & { addressGroup: string };

/** The request matches no step, or several: every field that is invalid. */
interface NoStep {
  kind: 'invalid';
  errors: Problem[];
}

interface ReadableStep extends Omit<Step<Field>, 'take'> {
  read: (body: LoginBody) => LoginStep | NoStep;
}

/** A step whose type hides its fields. Keeps all of them out of bundles that take none. @__NO_SIDE_EFFECTS__ */
function defineStep<F extends Field>({ take, ...one }: Step<F>): ReadableStep {
  const read = (body: LoginBody): LoginStep | NoStep => {
    const errors = one.ignoresOthers === true ? [] : faultsOf(body, one);
    if (errors.length > 0 || !hasAll(body, one.fields)) return { kind: 'invalid', errors };
    const { method, refusal } = one;
    const taken: LoginStep['take'] = (deps, { addressGroup, ...origin }) =>
      take(deps, { ...body, addressGroup }, origin);
    return { kind: 'step', method, refusal, take: taken };
  };
  return { ...one, read };
}

function hasAll<F extends Field>(
  body: LoginBody,
  fields: readonly F[],
): body is LoginBody & Required<Pick<LoginBody, F>> {
  return fields.every((name) => body[name] !== undefined);
}

/** Every missing field of a step, and every field that belongs to another step. */
function faultsOf(body: LoginBody, { fields, also }: { fields: readonly Field[]; also?: Field }): Problem[] {
  const given: Record<string, unknown> = body;
  const others = Object.keys(ALL_FIELDS).filter(
    (name) => given[name] !== undefined && name !== also && !fields.some((field) => field === name),
  );
  return [
    ...fields
      .filter((name) => body[name] === undefined)
      .map((name) => ({ pointer: `/${name}`, message: 'is required', code: 'required' as const })),
    ...others.map((name) => ({
      pointer: `/${name}`,
      message: `cannot be combined with ${fields[0]}`,
      code: 'does_not_go_with' as const,
    })),
  ];
}

/** The valid combinations of the fields that a request may have. */
export function loginForms(accepted: object) {
  const steps = STEPS.filter(({ fields }) => fields.every((name) => name in accepted));
  return {
    oneOfFields: Object.fromEntries(
      steps.map(({ form, fields, also }) => [form, also === undefined ? fields : [...fields, `${also}?`]]),
    ),
  };
}

export function readLoginStep(body: LoginBody): LoginStep | NoStep {
  return (STEPS.findLast(({ isMeant }) => isMeant?.(body)) ?? STEPS[0]).read(body);
}

/** Performs a step of a login: opens a session, asks for a second factor, or returns why not. */
export async function takeLoginStep(deps: LoginDeps, step: LoginStep, origin: FromAddress): Promise<Login> {
  const login = await describeBan(deps, await step.take(deps, origin));
  const reason = refusalOf(step, login);
  const { address, addressGroup, userAgent, traceId } = origin;
  const accountId = login.accountId ?? ('ownerId' in login ? login.ownerId : undefined);
  const attempt = { accountId, method: step.method, address, addressGroup, userAgent, traceId };
  // `openSession` records successes.
  if (reason !== undefined) {
    deps.activity.refused(LOGIN_KINDS[step.method ?? 'Password'], reason);
    deps.signIns.refused(attempt, reason);
  } else if (login.kind === 'second_factor') deps.signIns.secondFactorAsked(attempt);
  return login;
}

/** Adds what the owner of a disabled account may know about it. Only a login with the right password gets here. */
async function describeBan({ db }: LoginDeps, login: Login): Promise<Login> {
  if (login.kind !== 'condition' || login.condition !== LoginStatus.IsDisabled) return login;
  return { ...login, ban: await accounts.findToldBan(db, login.accountId) };
}

function refusalOf({ refusal }: LoginStep, login: Login): SignInReason | undefined {
  switch (login.kind) {
    case 'throttled':
      return 'throttled';
    case 'condition':
      return CONDITION_CODES[login.condition];
    case 'failed':
      return refusal(login);
    case 'exists':
      return 'session_exists';
    case 'opened':
    case 'second_factor':
      return undefined;
  }
}

async function loginWithPassword(
  deps: LoginDeps,
  { Username: userName, Password: password, TwoFactorCode, addressGroup }: Given<'Username' | 'Password'>,
  origin: LoginOrigin,
): Promise<Login> {
  const typed = { password, addressGroup };
  const checked = await checkPassword(deps, { ...typed, userName });
  if (checked.kind === 'failed' || checked.kind === 'throttled') return checked;
  const { account } = checked;
  const isWithCode =
    TwoFactorCode !== undefined && conditionOf(account) === undefined && usesSecondFactor(account);
  const code = isWithCode ? typedCode(TwoFactorCode) : undefined;
  const login: Login =
    code === undefined
      ? await proceed(deps, account, { by: 'password' }, origin)
      : { ...(await loginWithCode(deps, { account, code, addressGroup }, origin)), accountId: account.id };
  if (login.kind === 'opened' || login.kind === 'exists' || login.kind === 'second_factor')
    renewBehind(deps, account, typed);
  return login;
}

/** Does not delay the answer: the login has succeeded, and the next one retries a failed renewal. */
function renewBehind(
  deps: LoginDeps,
  account: AccountWithHash,
  typed: { password: string; addressGroup: string },
): void {
  renewHash(deps, account, typed).catch((error: unknown) => {
    deps.log.warn('failed to upgrade a password hash', { accountId: account.id, error });
  });
}

/** Logs in with a mailed code, which is one factor, like a password: the same conditions apply. */
async function loginWithMailCode(
  deps: LoginDeps,
  {
    Username: userName,
    MailCode,
    RequestToken: requestToken,
    addressGroup,
  }: Given<'Username' | 'MailCode' | 'RequestToken'>,
  origin: LoginOrigin,
): Promise<Login> {
  const typed = { userName, code: typedCode(MailCode), requestToken, addressGroup };
  const checked = await checkMailCode(deps, typed);
  if (checked.kind === 'failed' || checked.kind === 'throttled') return checked;
  const { codeId, use } = checked;
  const account = await settleEmail(deps, checked.account, codeId, origin);
  if (account === undefined) return { kind: 'failed', accountId: checked.account.id };
  return proceed(deps, account, { by: 'mail-code', use }, origin);
}

/** Opens the session, or asks for the second factor, in the transaction that uses the first one up (`first.use`). */
async function proceed(
  deps: LoginDeps,
  account: Account,
  first: FirstStep,
  origin: LoginOrigin,
): Promise<Login> {
  const accountId = account.id;
  const condition = conditionOf(account);
  if (condition !== undefined) return { kind: 'condition', accountId, condition };
  if (requiresSecondFactor(account)) {
    const asked = await requestSecondFactor(deps, account, origin, first);
    if (asked.kind === 'stale') return { kind: 'failed', accountId };
    return { kind: 'second_factor', accountId, next: asked.next };
  }
  const { by, use } = first;
  // The account may have got a second factor meanwhile.
  const prove =
    use && (async (tx: Transaction, needsSecondFactor: boolean) => !needsSecondFactor && (await use(tx)));
  const login = { ...origin, authentication: { by: [by], ageSeconds: 0 } };
  const opening = await openSession(deps, account, login, prove, origin.onOpen);
  return opening.kind === 'stale' ? { kind: 'failed', accountId } : { accountId, ...opening };
}

/**
 * Logs in with the token of a login that found every slot taken: the session unseen for longest ends. It stands for the
 * whole proof, works once, while its account has the same password. An unknown one is like a wrong password.
 */
async function takeOverSession(
  deps: LoginDeps,
  { token, userName, addressGroup }: { token: string; userName: string | undefined; addressGroup: string },
  origin: LoginOrigin,
): Promise<Login> {
  const tokenHash = hashInvitationToken(token);
  return withAddressThrottle<Login>(deps, { addressGroup }, async () => {
    const stored = await sessionTakeOvers.find(deps.db, tokenHash);
    const account = stored && (await accounts.findById(deps.db, stored.accountId));
    if (stored === undefined || account === undefined || !isNamed(account, userName)) return FAILED_CHECK;
    const { tag, by, ageSeconds, passkeyId } = stored;
    // A second factor that the account has got since then is not part of the proof.
    const isEnough = by.includes('second-factor') || by.includes('passkey');
    const prove = async (tx: Transaction, needsSecondFactor: boolean) =>
      (isEnough || !needsSecondFactor) && (await sessionTakeOvers.use(tx, tokenHash));
    const login = {
      ...origin,
      tag,
      takesOver: true,
      deviceName: origin.deviceName ?? stored.deviceName ?? undefined,
      authentication: { by, ageSeconds: ageSeconds ?? undefined, passkeyId: passkeyId ?? undefined },
    };
    const opening = await openSession(deps, account, login, prove, origin.onOpen);
    if (opening.kind === 'stale') return withOwner<Login>(FAILED_CHECK, account.id);
    return { counts: 'succeeded', outcome: { ...opening, accountId: account.id } };
  });
}

function isNamed(account: { email: string }, userName: string | undefined): boolean {
  if (userName === undefined) return true;
  const email = normalizeEmail(userName);
  return email !== undefined && emailKey(email) === emailKey(account.email);
}
