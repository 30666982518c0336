import { randomBytes } from 'node:crypto';
import {
  asOwner,
  issueChallenge,
  mailNotice,
  newRecoveryCodes,
  proveOwner,
  withDevice,
  write,
} from '@gatehouse/accounts';
import {
  hashInvitationToken,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyToken,
} from '@gatehouse/auth-core';
import { accounts, passkeys, recoveryCodes, webauthnChallenges } from '@gatehouse/db';
import type { Account, Transaction } from '@gatehouse/db';
import { invalidField, confirmationRequired, type Refuse } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { routeOf, type Deps } from '../deps.ts';
import { orThrow, OWNER_PROOF_ERRORS, OwnerProofBody, proved, readOwnerProof } from '../owner-proof.ts';
import names from './authenticator-names.json' with { type: 'json' };
import { Passkey, PasskeyName } from './passkeys.ts';

const route = routeOf({ tag: 'Passkeys', access: 'session' });

/** More than the devices and password managers of any owner. */
const PASSKEYS_MAX = 20;
const FULL = 'The account has the maximum number of passkeys';

export const addPasskeyRoutes = [
  route('POST /account/passkey/options', {
    operationId: 'beginPasskey',
    summary: 'Begin to add a passkey',
    description:
      'Requires a proof of identity in addition to the session: the password, a two-factor code (instead of the ' +
      'password if two-factor authentication is enabled), or a passkey (`POST /account/passkey/confirmation`). ' +
      'None is needed within five minutes of the login. Returns the options with which the browser creates the ' +
      'passkey, and a token for `POST /account/passkey`.',
    body: OwnerProofBody,
    response: Type.Object({ PasskeyToken: Type.String(), Options: PasskeyCreationOptions }),
    errors: [...OWNER_PROOF_ERRORS, 'conflict'],
    handler: async ({ body, caller, deps, request, refuse }) => {
      const shown = readOwnerProof(body, caller, request);
      const checks = openedPasskeys(deps, refuse);
      const proof = proved(refuse, await proveOwner(deps, shown, request));
      const { id, passwordVersion } = proof.account;
      const begun = await write(deps, asOwner(id, request), async (tx) => {
        const account = await accounts.lockById(tx, id);
        if (account?.passwordVersion !== passwordVersion) throw confirmationRequired(refuse);
        const known = await passkeys.findKnown(tx, id);
        if (known.length >= PASSKEYS_MAX) throw refuse('conflict', FULL);
        // A challenge stays used up, although the rest of the proof is refused.
        if (!(await proof.use(tx))) return confirmationRequired(refuse);
        const { token, challenge } = await issueChallenge(tx, 'register', account);
        const handle = await passkeys.setUserHandle(tx, randomBytes(32), id);
        const user = { handle, name: account.email, displayName: account.displayName ?? account.email };
        return { PasskeyToken: token, Options: checks.creationOptions(challenge, user, known) };
      });
      return orThrow(begun);
    },
  }),

  route('POST /account/passkey', {
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Without `Name`, it is named after the kind of its authenticator if known, or else after browser and system. The ' +
      'owner is notified by email.',
    body: Type.Object({
      PasskeyToken,
      Name: Type.Optional(PasskeyName),
      Credential: PasskeyRegistration,
    }),
    response: Type.Object(
      {
        ...Passkey.properties,
        RecoveryCodes: Type.Optional(
          Type.Array(Type.String(), {
            description:
              'Present if the account must have a second factor and this passkey is the first one. Each code can be ' +
              'used once. Shown only in this response.',
          }),
        ),
      },
      { title: 'NewPasskey' },
    ),
    status: 201,
    errors: ['conflict'],
    handler: async ({ body, caller: { accountId }, deps, request, refuse }) => {
      const checks = openedPasskeys(deps, refuse);
      const tokenHash = hashInvitationToken(body.PasskeyToken);
      const issued = await webauthnChallenges.find(deps.db, tokenHash, 'register');
      if (issued?.accountId !== accountId) throw unknownToken();
      const fresh = await checks.verifyRegistration(body.Credential, issued.challenge);
      if (fresh === undefined)
        throw invalidField('/Credential', 'was not created for these options', 'malformed');
      const name = body.Name ?? NAMES[fresh.aaguid ?? ''] ?? withDevice(request).deviceName ?? 'Passkey';
      const added = await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.lockById(tx, accountId);
        if (account === undefined || !(await webauthnChallenges.use(tx, tokenHash, 'register')))
          throw unknownToken();
        // From here on, the challenge stays used up.
        if ((await passkeys.count(tx, accountId)) >= PASSKEYS_MAX) return refuse('conflict', FULL);
        const passkey = await passkeys.insert(tx, { ...fresh, id: newId(), accountId, name });
        if (passkey === undefined) return refuse('conflict', 'This passkey is already in use');
        const PasskeyId = passkey.id;
        await mailNotice(deps, tx, account, 'account.passkey-added', { PasskeyId }, request);
        tx.audit('passkey.added', { PasskeyId });
        return { ...Passkey.answer(passkey), ...(await codesIfNeeded(deps, tx, account)) };
      });
      return orThrow(added);
    },
  }),
];

function openedPasskeys({ passkeys: opened }: Deps, refuse: Refuse<'conflict'>) {
  if (opened === undefined) throw refuse('conflict', 'Passkeys are off');
  return opened;
}

function unknownToken() {
  return invalidField('/PasskeyToken', 'is unknown, used or expired', 'unknown_object');
}

/** An account that must have a second factor, and has no authenticator, needs recovery codes besides its passkeys. */
async function codesIfNeeded(
  deps: Deps,
  tx: Transaction,
  { id, isTwoFactorEnabled, isTwoFactorRequired }: Account,
): Promise<{ RecoveryCodes?: string[] }> {
  if (isTwoFactorEnabled || !isTwoFactorRequired || (await recoveryCodes.countLeft(tx, id)) > 0) return {};
  return { RecoveryCodes: await newRecoveryCodes(deps, tx, id) };
}

/**
 * Kinds of authenticators by their AAGUID, as published by their makers (docs/passkeys.md). The names are read
 * from a file, without asking any server.
 */
const NAMES: Readonly<Record<string, string>> = names;
