import { requestEmailChange } from '@gatehouse/accounts';
import { PASSKEY_FIELDS } from '@gatehouse/auth-core';
import { invalidRequest } from '@gatehouse/http';
import { Email, normalizeEmail, Password, TwoFactorCode, Type, typedCode } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import {
  mailboxError,
  MAILBOX_FIELDS,
  OWNER_PROOF_ERRORS,
  proofError,
  readOwnerProof,
} from '../../owner-proof.ts';

export const changeEmail = route({
  method: 'post',
  path: '/account/change-email',
  operationId: 'changeEmail',
  tag: 'Account',
  summary: 'Request a change of email address',
  description:
    'Sends a code to the new address; nothing changes until it is confirmed. The response and its timing are the ' +
    'same if the address already has an account, whose owner is then notified. Requires the password and the second ' +
    'factor that the account has, and the `MailCode` from an email to the present address if the account can log in ' +
    'with mailed codes.',
  access: 'session',
  body: Type.Object({
    Email: Email(),
    Password: Type.Optional(Password()),
    TwoFactorCode: Type.Optional(TwoFactorCode()),
    ...PASSKEY_FIELDS,
    ...MAILBOX_FIELDS,
  }),
  response: Type.Object({}),
  errors: [...OWNER_PROOF_ERRORS, 'mail_code_required', 'invalid_code'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const email = normalizeEmail(body.Email) ?? body.Email;
    const mailCode = body.MailCode === undefined ? undefined : typedCode(body.MailCode);
    const own = { ...readOwnerProof(body, caller, request), email, mailCode };
    const outcome = await requestEmailChange(deps, own, request);
    switch (outcome.kind) {
      case 'requested':
        return {};
      case 'password_required':
        throw invalidRequest(undefined, {
          errors: [{ pointer: '/Password', message: 'is required', code: 'required' }],
        });
      case 'mailbox':
        throw mailboxError(refuse, outcome);
      case 'throttled':
      case 'unproven':
      case 'wrong':
        throw proofError(refuse, outcome);
    }
  },
});
