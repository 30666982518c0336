import { changePassword as changeOwnPassword } from '@gatehouse/accounts';
import { PASSKEY_FIELDS } from '@gatehouse/auth-core';
import { invalidPassword } from '@gatehouse/http';
import { Password, TwoFactorCode, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { OWNER_PROOF_ERRORS, proofError, readOwnerProof } from '../owner-proof.ts';

export const changePassword = route({
  method: 'post',
  path: '/account/change-password',
  operationId: 'changePassword',
  tag: 'Account',
  summary: 'Change your password',
  description:
    'Ends all other sessions of the account and invalidates all codes that were emailed to it. An account with a ' +
    'second factor also requires a code or a passkey, unless it was shown within the last five minutes. A wrong ' +
    'password or code counts as a failed login.',
  access: 'session',
  body: Type.Object({
    CurrentPassword: Password(),
    Password: Password(),
    TwoFactorCode: Type.Optional(TwoFactorCode()),
    ...PASSKEY_FIELDS,
  }),
  response: Type.Object({}),
  errors: OWNER_PROOF_ERRORS,
  handler: async ({ body, caller, deps, request, refuse }) => {
    const { CurrentPassword: current, Password: password, ...more } = body;
    const shown = { ...readOwnerProof(more, caller, request), password: current };
    const outcome = await changeOwnPassword(deps, { shown, password }, request);
    switch (outcome.kind) {
      case 'changed':
        return {};
      case 'unfit_password':
        throw invalidPassword(outcome.fault);
      case 'throttled':
      case 'unproven':
      case 'wrong':
        throw proofError(refuse, outcome);
    }
  },
});
