import { requestEmailChange } from '@gatehouse/accounts';
import { PASSKEY_FIELDS } from '@gatehouse/http';
import { Email, normalizeEmail, Password, TwoFactorCode, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { OWNER_PROOF_ERRORS, proofError, readOwnerProof } from '../../owner-proof.ts';

export const changeEmail = route({
  method: 'post',
  path: '/account/change-email',
  operationId: 'changeEmail',
  tag: 'Account',
  summary: 'Request a change of email address',
  description:
    'Sends a code to the new address; nothing changes until it is confirmed. The response and its timing are the ' +
    'same if the address already has an account, whose owner is then notified. An account with a second factor ' +
    'also requires a code or a passkey, unless it was shown within the last five minutes.',
  access: 'session',
  body: Type.Object({
    Email: Email(),
    Password: Password(),
    TwoFactorCode: Type.Optional(TwoFactorCode()),
    ...PASSKEY_FIELDS,
  }),
  response: Type.Object({}),
  errors: OWNER_PROOF_ERRORS,
  handler: async ({ body, caller, deps, request, refuse }) => {
    const email = normalizeEmail(body.Email) ?? body.Email;
    const own = { ...readOwnerProof(body, caller, request), email, password: body.Password };
    const outcome = await requestEmailChange(deps, own, request);
    switch (outcome.kind) {
      case 'requested':
        return {};
      case 'throttled':
      case 'unproven':
      case 'wrong':
        throw proofError(refuse, outcome);
    }
  },
});
