import {
  Integers,
  LoginStatus,
  Password as PasswordText,
  Type,
  TwoFactorCode as TwoFactorCodeText,
  typedCode,
  type Problem,
} from '@gatehouse/schema';
import { invalidRequest } from './refusals.ts';

/** What a login takes; `LOGIN_WAYS` says which go together. */
export const LOGIN_FIELDS = {
  Username: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: 'The email address of the account' }),
  ),
  Password: Type.Optional(PasswordText()),
  TwoFactorToken: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  TwoFactorCode: Type.Optional(TwoFactorCodeText()),
};

export const LOGIN_WAYS = {
  oneOfFields: [
    ['Username', 'Password'],
    ['TwoFactorToken', 'TwoFactorCode'],
  ],
};

const StepToken = Type.String({
  description: 'Replaces the password in the next request. Valid for five minutes and five codes.',
});

/** What a login answers that asks for a second factor, or for setting one up. */
export const SECOND_STEPS = [
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorCodeRequired: LoginStatus.TwoFactorCodeRequired }),
      TwoFactorToken: StepToken,
    },
    { title: 'TwoFactorCodeRequired' },
  ),
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorSetupRequired: LoginStatus.TwoFactorSetupRequired }),
      TwoFactorToken: StepToken,
      TwoFactorSetup: Type.Object(
        {
          Secret: Type.String({
            description: 'The secret in base 32, for manual entry in an authenticator app',
          }),
          OtpAuthUri: Type.String({ description: 'The secret as an otpauth URI, for a QR code' }),
        },
        { title: 'TwoFactorSetup' },
      ),
    },
    { title: 'TwoFactorSetupRequired' },
  ),
] as const;

/** The recovery codes that a login shows which has set up the second factor. */
export const RecoveryCodes = Type.Array(Type.String(), {
  description:
    'Present if two-factor authentication has just been set up. Each code can be used once. Shown only in this response.',
});

/** What a login may hold. */
interface LoginBody {
  Username?: string;
  Password?: string;
  TwoFactorToken?: string;
  TwoFactorCode?: string;
}

type LoginStep =
  | { kind: 'password'; userName: string; password: string; code?: string | undefined }
  | { kind: 'token'; token: string; code: string };

/** Reads a login as one of its two steps; what is neither, or both, is refused with every field at fault. */
export function readLoginStep({ Username, Password, TwoFactorToken, TwoFactorCode }: LoginBody): LoginStep {
  const given: Record<string, unknown> = { Username, Password, TwoFactorCode };
  const [needed, unwanted] =
    TwoFactorToken === undefined
      ? [['Username', 'Password'], []]
      : [['TwoFactorCode'], ['Username', 'Password']];
  const errors: Problem[] = [
    ...needed
      .filter((name) => given[name] === undefined)
      .map((name) => ({ pointer: `/${name}`, message: 'is required', code: 'required' as const })),
    ...unwanted
      .filter((name) => given[name] !== undefined)
      .map((name) => ({
        pointer: `/${name}`,
        message: 'cannot be combined with TwoFactorToken',
        code: 'does_not_go_with' as const,
      })),
  ];
  if (errors.length === 0 && TwoFactorToken !== undefined && TwoFactorCode !== undefined) {
    return { kind: 'token', token: TwoFactorToken, code: typedCode(TwoFactorCode) };
  }
  if (errors.length === 0 && Username !== undefined && Password !== undefined) {
    const code = TwoFactorCode === undefined ? undefined : typedCode(TwoFactorCode);
    return { kind: 'password', userName: Username, password: Password, code };
  }
  throw invalidRequest('The request failed validation', { errors });
}
