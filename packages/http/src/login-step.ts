import { PASSKEY_FIELDS, PasskeyRequestOptions, type AssertionJson } from '@gatehouse/auth-core';
import {
  Code,
  Enum,
  Integers,
  LoginStatus,
  Password as PasswordText,
  Type,
  TwoFactorCode as TwoFactorCodeText,
  typedCode,
  type Problem,
} from '@gatehouse/schema';
import { invalidRequest } from './refusals.ts';

/** All fields of a login request; `LOGIN_FIELD_SETS` lists the valid combinations. */
export const LOGIN_FIELDS = {
  Username: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: 'The email address of the account' }),
  ),
  Password: Type.Optional(PasswordText()),
  TwoFactorToken: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  TwoFactorCode: Type.Optional(TwoFactorCodeText()),
  ...PASSKEY_FIELDS,
  TakeOverToken: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'From the error `session_exists`: ends the session that was not seen for the longest time, and stands for the ' +
        'whole login, whose other fields are then not needed. Works once, within two minutes.',
    }),
  ),
};

export const LOGIN_FIELD_SETS = {
  oneOfFields: {
    WithPassword: ['Username', 'Password', 'TwoFactorCode?'],
    WithSecondFactor: ['TwoFactorToken', 'TwoFactorCode'],
    WithPasskeyAsSecondFactor: ['TwoFactorToken', 'Credential'],
    WithPasskey: ['PasskeyToken', 'Credential'],
    ToTakeOver: ['TakeOverToken'],
  },
};

/** The further fields of a login with a mailed code. */
export const MAIL_CODE_FIELDS = {
  MailCode: Type.Optional(Code('The code that `POST /account/login/email` has mailed, such as 7KQ2-M9XD')),
  RequestToken: Type.Optional(
    Type.String({
      maxLength: 512,
      description: 'The token from the response of `POST /account/login/email`',
    }),
  ),
};

/** The valid combinations of fields where a mailed code is accepted. */
export const MAIL_CODE_FIELD_SETS = {
  oneOfFields: {
    ...LOGIN_FIELD_SETS.oneOfFields,
    WithMailCode: ['Username', 'MailCode', 'RequestToken'],
  },
};

const StepToken = Type.String({
  description: 'Replaces the password in the next request. Valid for five minutes and five codes.',
});

/** The responses of a login that asks for a second factor, or requires setting one up. */
export const SECOND_STEPS = [
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorCodeRequired: LoginStatus.TwoFactorCodeRequired }),
      TwoFactorToken: StepToken,
      SecondFactors: Type.Array(Enum(['Totp', 'RecoveryCode', 'Passkey']), {
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

/** The recovery codes in the response of the login that set up the second factor. */
export const RecoveryCodes = Type.Array(Type.String(), {
  description:
    'Present if two-factor authentication has just been set up. Each code can be used once. Shown only in this ' +
    'response.',
});

/** The body of a login request. */
interface LoginBody {
  Username?: string;
  Password?: string;
  TwoFactorToken?: string;
  TwoFactorCode?: string;
  PasskeyToken?: string;
  Credential?: AssertionJson;
  MailCode?: string;
  RequestToken?: string;
  TakeOverToken?: string;
}

type LoginStep =
  | { kind: 'password'; userName: string; password: string; code?: string | undefined }
  | { kind: 'token'; token: string; code: string }
  | { kind: 'token'; token: string; credential: AssertionJson }
  | { kind: 'passkey'; token: string; credential: AssertionJson }
  | { kind: 'mail-code'; userName: string; code: string; requestToken: string }
  | { kind: 'take-over'; token: string; userName: string | undefined };

/** Determines which login step a body is. If it matches none or several, the error names every invalid field. */
export function readLoginStep(body: LoginBody): LoginStep {
  const { Username, Password, TwoFactorToken, TwoFactorCode, PasskeyToken, Credential } = body;
  // A client may repeat the login as it was: the token stands for its proof, which was used up.
  if (body.TakeOverToken !== undefined)
    return { kind: 'take-over', token: body.TakeOverToken, userName: Username };
  const { MailCode, RequestToken } = body;
  const errors = faultsOf(body, fieldSetOf(body));
  if (errors.length === 0) {
    if (PasskeyToken !== undefined && Credential !== undefined)
      return { kind: 'passkey', token: PasskeyToken, credential: Credential };
    if (TwoFactorToken !== undefined && Credential !== undefined)
      return { kind: 'token', token: TwoFactorToken, credential: Credential };
    if (TwoFactorToken !== undefined && TwoFactorCode !== undefined)
      return { kind: 'token', token: TwoFactorToken, code: typedCode(TwoFactorCode) };
    if (Username !== undefined && MailCode !== undefined && RequestToken !== undefined)
      return {
        kind: 'mail-code',
        userName: Username,
        code: typedCode(MailCode),
        requestToken: RequestToken,
      };
    if (Username !== undefined && Password !== undefined) {
      const code = TwoFactorCode === undefined ? undefined : typedCode(TwoFactorCode);
      return { kind: 'password', userName: Username, password: Password, code };
    }
  }
  throw invalidRequest('The request failed validation', { errors });
}

/** The required fields of a login step, and an optional one. */
interface FieldSet {
  needed: readonly (keyof LoginBody)[];
  also?: keyof LoginBody;
}

function fieldSetOf(body: LoginBody): FieldSet {
  const { TwoFactorToken, PasskeyToken, Credential } = body;
  if (body.MailCode !== undefined || body.RequestToken !== undefined)
    return { needed: ['Username', 'MailCode', 'RequestToken'] };
  if (PasskeyToken !== undefined || (TwoFactorToken === undefined && Credential !== undefined))
    return { needed: ['PasskeyToken', 'Credential'] };
  if (TwoFactorToken === undefined) return { needed: ['Username', 'Password'], also: 'TwoFactorCode' };
  return { needed: ['TwoFactorToken', Credential === undefined ? 'TwoFactorCode' : 'Credential'] };
}

/** Every missing field of a login step, and every field that belongs to another step. */
function faultsOf(body: LoginBody, { needed, also }: FieldSet): Problem[] {
  const isUnwanted = (name: keyof LoginBody) =>
    body[name] !== undefined && name !== also && !needed.includes(name);
  return [
    ...needed
      .filter((name) => body[name] === undefined)
      .map((name) => ({ pointer: `/${name}`, message: 'is required', code: 'required' as const })),
    ...LOGIN_NAMES.filter(isUnwanted).map((name) => ({
      pointer: `/${name}`,
      message: `cannot be combined with ${needed[0]}`,
      code: 'does_not_go_with' as const,
    })),
  ];
}

const LOGIN_NAMES = [
  'Username',
  'Password',
  'TwoFactorToken',
  'TwoFactorCode',
  'PasskeyToken',
  'Credential',
  'MailCode',
  'RequestToken',
] as const;
