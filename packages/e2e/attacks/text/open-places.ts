import { PASSWORD } from '../../src/testing/index.ts';

/** Requests that are valid except for the text in an open place, and the status of their response. */
export const WHOLE: [place: string, body: (stray: string) => object, status: number][] = [
  ['POST /account/login /Username', (Username) => ({ Username, Password: PASSWORD }), 404],
  ['POST /account/login /Password', (Password) => ({ Username: 'nobody@example.com', Password }), 404],
  [
    'POST /account/login /TwoFactorToken',
    (TwoFactorToken) => ({ TwoFactorToken, TwoFactorCode: '123456' }),
    404,
  ],
  // Only half of a passkey's proof.
  ['POST /account/login /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['POST /account/passkey /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['POST /account/passkey/options /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['POST /account/passkey/options /Password', (Password) => ({ Password }), 403],
  ['POST /account/passkey/options /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 403],
  ['POST /account/identity /IdentityCode', (IdentityCode) => ({ IdentityCode }), 400],
  ['POST /account/identity/:provider /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['POST /account/identity/:provider /Password', (Password) => ({ Password }), 403],
  ['POST /account/identity/:provider /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 403],
  ['DELETE /account/identity /PasskeyToken', (PasskeyToken) => ({ Number: 1, PasskeyToken }), 400],
  ['DELETE /account/identity /Password', (Password) => ({ Number: 1, Password }), 404],
  ['DELETE /account/identity /TwoFactorCode', (TwoFactorCode) => ({ Number: 1, TwoFactorCode }), 404],
  ['DELETE /account/passkey/:id /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['DELETE /account/passkey/:id /Password', (Password) => ({ Password }), 404],
  ['DELETE /account/passkey/:id /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 404],
  ['POST /account/login /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorToken: 'x', TwoFactorCode }), 404],
  ['POST /account/refresh-token /RefreshToken', (RefreshToken) => ({ RefreshToken }), 401],
  [
    'POST /account/register /Password',
    (Password) => ({ Email: 'some@example.com', Password: long(Password) }),
    400,
  ],
  ['POST /account/verify /Code', (Code) => ({ Email: 'some@example.com', Code }), 400],
  [
    'POST /account/verify /RegistrationToken',
    (RegistrationToken) => ({ Email: 'some@example.com', Code: 'AAAA-AAAA', RegistrationToken }),
    400,
  ],
  [
    'POST /account/verify /Password',
    (Password) => ({ Email: 'some@example.com', Code: 'AAAA-AAAA', Password }),
    400,
  ],
  [
    'POST /account/reset-password /Code',
    (Code) => ({ Email: 'some@example.com', Code, Password: PASSWORD }),
    400,
  ],
  [
    'POST /account/reset-password /Password',
    (Password) => ({ Email: 'some@example.com', Code: 'AAAA-AAAA', Password: long(Password) }),
    400,
  ],
  [
    'POST /account/change-password /CurrentPassword',
    (CurrentPassword) => ({ CurrentPassword, Password: PASSWORD }),
    403,
  ],
  [
    'POST /account/change-password /Password',
    (Password) => ({ CurrentPassword: PASSWORD, Password: long(Password) }),
    400,
  ],
  ['POST /account/change-email /Password', (Password) => ({ Email: 'some@example.com', Password }), 403],
  [
    'POST /account/change-password /PasskeyToken',
    (PasskeyToken) => ({ CurrentPassword: 'not it', Password: PASSWORD, PasskeyToken }),
    400,
  ],
  [
    'POST /account/change-password /TwoFactorCode',
    (TwoFactorCode) => ({ CurrentPassword: 'not it', Password: PASSWORD, TwoFactorCode }),
    403,
  ],
  [
    'POST /account/change-email /PasskeyToken',
    (PasskeyToken) => ({ Email: 'some@example.com', Password: 'not it', PasskeyToken }),
    400,
  ],
  [
    'POST /account/change-email /TwoFactorCode',
    (TwoFactorCode) => ({ Email: 'some@example.com', Password: 'not it', TwoFactorCode }),
    403,
  ],
  ['POST /account/confirm-email /Code', (Code) => ({ Code }), 400],
  ['POST /account/take-back-email /Code', (Code) => ({ Code }), 400],
  ['POST /account/two-factor /Password', (Password) => ({ Password }), 403],
  ['POST /account/export /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['POST /account/export /Password', (Password) => ({ Password }), 403],
  ['POST /account/export /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 403],
  ['POST /account/erase /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['POST /account/erase /Password', (Password) => ({ Password }), 403],
  ['POST /account/erase /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 403],
  ['POST /account/erase /Code', (Code) => ({ Code }), 400],
  ['POST /account/restore /Code', (Code) => ({ Code }), 400],
  // For an account with a password, the set-up begins with the password.
  ['POST /account/two-factor /Code', (Code) => ({ Code }), 400],
  ['POST /account/two-factor /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 403],
  ['POST /account/recovery-codes /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 409],
  ['POST /account/handover /ReturnUrl', (ReturnUrl) => ({ ReturnUrl }), 400],
  ['POST /account/handover/exchange /HandoverCode', (HandoverCode) => ({ HandoverCode }), 400],
  ['DELETE /account/two-factor /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 409],
  [
    'POST /account/register-guest /InvitationToken',
    (InvitationToken) => ({ InvitationToken, Password: PASSWORD, DisplayName: 'Gus' }),
    400,
  ],
  [
    'POST /account/register-guest /Password',
    (Password) => ({ InvitationToken: 'x', Password: long(Password), DisplayName: 'Gus' }),
    400,
  ],
  [
    'POST /admin/account /Password',
    (Password) => ({ Email: 'some@example.com', Password: long(Password) }),
    400,
  ],
  ['POST /admin/api-token /Networks/0', (Network) => ({ Name: 'some', Networks: [Network] }), 400],
  ['POST /api/auth/:provider/renew /refreshToken', (refreshToken) => ({ refreshToken }), 401],
  ['POST /console/session /Username', (Username) => ({ Username, Password: PASSWORD }), 404],
  ['POST /console/session /Password', (Password) => ({ Username: 'nobody@example.com', Password }), 404],
  [
    'POST /console/session /TwoFactorToken',
    (TwoFactorToken) => ({ TwoFactorToken, TwoFactorCode: '123456' }),
    404,
  ],
  ['POST /console/session /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorToken: 'x', TwoFactorCode }), 404],
  ['POST /console/handover/exchange /HandoverCode', (HandoverCode) => ({ HandoverCode }), 400],
  ['POST /console/handover/exchange /SignOnCode', (SignOnCode) => ({ SignOnCode }), 400],
  ['POST /console/session /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['POST /console/session/confirm /PasskeyToken', (PasskeyToken) => ({ PasskeyToken }), 400],
  ['POST /console/session/confirm /SignOnCode', (SignOnCode) => ({ SignOnCode }), 400],
  ['POST /console/session/confirm /Password', (Password) => ({ Password }), 403],
  ['POST /console/session/confirm /TwoFactorCode', (TwoFactorCode) => ({ TwoFactorCode }), 403],
];

/** Long enough for a password, so that it is not refused because of its length. */
function long(stray: string): string {
  return `a long password ${stray}`;
}
