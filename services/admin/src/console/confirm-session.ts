import { confirmByCode, confirmSession } from '@gatehouse/accounts';
import { addressGroup, invalidRequest, PASSKEY_FIELDS, reply, tooManyFailures } from '@gatehouse/http';
import { Password, Type, type Static } from '@gatehouse/schema';
import { route } from '../deps.ts';

const Body = Type.Object(
  {
    Password: Type.Optional(Password()),
    ...PASSKEY_FIELDS,
    SignOnCode: Type.Optional(
      Type.String({ maxLength: 100, description: 'Of a fresh sign-on, from behind the `#` of the address' }),
    ),
  },
  { oneOfFields: [['Password'], ['PasskeyToken', 'Credential'], ['SignOnCode']] },
);

export const confirmConsoleSession = route({
  method: 'post',
  path: '/console/session/confirm',
  operationId: 'confirmConsoleSession',
  tag: 'Console',
  summary: 'Confirm who you are',
  description:
    'Dangerous actions ask a browser’s session for it: for five minutes after this they are let through. Send the ' +
    '`Password`, or the `Credential` of a passkey with the token of `POST /console/session/confirm/passkey`, or the ' +
    '`SignOnCode` of a fresh sign-on (`/auth/{provider}/login?console=true&confirm=true`). A wrong password ' +
    'counts as a failed login.',
  access: 'admin session',
  body: Body,
  errors: ['wrong_password', 'wrong_code', 'invalid_code', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const { accountId, sessionId } = caller;
    const from = { addressGroup: addressGroup(request.address) };
    const shown = readShownAgain(body);
    const outcome =
      'code' in shown
        ? await confirmByCode(deps, { session: { accountId, sessionId }, ...from, code: shown.code }, request)
        : await confirmSession(deps, { accountId, sessionId, ...from, ...shown }, request);
    switch (outcome.kind) {
      case 'confirmed':
        return reply({ status: 204 });
      case 'failed':
        throw refuse('invalid_code');
      case 'wrong_password':
        throw refuse('wrong_password');
      case 'wrong_passkey':
        throw refuse('wrong_code', 'The passkey was not accepted');
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});

/** Reads the one thing that is shown. */
function readShownAgain({
  Password: password,
  PasskeyToken: token,
  Credential: credential,
  SignOnCode: code,
}: Static<typeof Body>) {
  const isPasswordless = password === undefined;
  if (code !== undefined && isPasswordless && token === undefined && credential === undefined)
    return { code };
  if (code === undefined && password !== undefined && token === undefined && credential === undefined)
    return { password };
  if (code === undefined && isPasswordless && token !== undefined && credential !== undefined)
    return { passkey: { token, credential } };
  const message = 'give the password, or PasskeyToken and Credential, or SignOnCode';
  throw invalidRequest(undefined, { errors: [{ pointer: '/Password', message, code: 'does_not_go_with' }] });
}
