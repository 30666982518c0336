import {
  EXPORT_ROWS_MAX,
  exportAccount,
  mailCode,
  proveOwner,
  recordTakenBack,
  scheduleErasure,
  write,
  takeShare,
} from '@gatehouse/accounts';
import { hashInvitationToken } from '@gatehouse/auth-core';
import { accounts, contentDefinitions, erasures } from '@gatehouse/db';
import {
  AccountExportAnswer,
  accountExportAnswer,
  confirmationRequired,
  EXPORT_HEADERS,
  reply,
} from '@gatehouse/http';
import { Code, Timestamp, Type } from '@gatehouse/schema';
import { routeOf } from '../deps.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody, proved, readOwnerProof, requireCode } from '../owner-proof.ts';

const route = routeOf({ tag: 'Account' });

export const erasureRoutes = [
  route('POST /account/export', {
    operationId: 'exportAccount',
    summary: 'Export all data about you',
    description:
      `Returns a JSON document to download, with at most ${EXPORT_ROWS_MAX} rows in each section, newest first. Requires ` +
      'a proof of identity, like `POST /account/passkey/options`: a password, a code, a passkey, or a login within the ' +
      'last five minutes. Limited to ten per hour.',
    access: 'session',
    body: OwnerProofBody,
    rules: { isDownload: true },
    response: AccountExportAnswer,
    headers: { fixed: EXPORT_HEADERS },
    errors: OWNER_PROOF_ERRORS,
    // A stolen session must not be enough to get all data at once.
    handler: async ({ body, caller, deps, request, refuse }) => {
      const { accountId } = caller;
      const proof = proved(refuse, await proveOwner(deps, readOwnerProof(body, caller, request), request));
      const limited = await takeShare(deps.exports, accountId);
      if (limited !== undefined)
        throw refuse('too_many_requests', 'Hourly limit of exports of this account reached', {
          retryAfterSeconds: limited.retryAfterSeconds,
        });
      const actor = { kind: 'Account', id: accountId } as const;
      const found = await exportAccount(deps, { accountId, actor, origin: request }, async (tx) => {
        if (!(await proof.use(tx))) throw confirmationRequired(refuse);
      });
      return accountExportAnswer(found);
    },
  }),

  route('POST /account/erase', {
    operationId: 'eraseAccount',
    summary: 'Erase your account',
    description:
      'First send a proof of identity as for `POST /account/passkey/options`, then the `Code` that is ' +
      'mailed. The account is disabled at once and erased after `ERASE_AFTER_DAYS`; until then the link in ' +
      'an email cancels it. Returns 409 for owners of content, the last administrator and service accounts.',
    access: 'session',
    body: Type.Object({ ...OwnerProofBody.properties, Code: Type.Optional(Code()) }),
    response: Type.Object({ ErasedAt: Type.Optional(Timestamp()) }),
    status: { 200: 'Success', 202: 'The account is closed and will be erased at `ErasedAt`' },
    errors: [...OWNER_PROOF_ERRORS, 'invalid_code', 'conflict'],
    handler: async ({ body, caller, ...call }) => {
      const { deps, request, refuse } = call;
      const { accountId } = caller;
      const actor = { kind: 'Account', id: accountId } as const;
      if (body.Code === undefined) {
        const proof = proved(refuse, await proveOwner(deps, readOwnerProof(body, caller, request), request));
        return write(deps, { actor, origin: request }, async (tx) => {
          const account = await accounts.lockById(tx, accountId);
          const isSame = account?.passwordVersion === proof.account.passwordVersion;
          if (account === undefined || !isSame || !(await proof.use(tx))) throw confirmationRequired(refuse);
          // A program does not read mails: its operators erase the account.
          if (account.isService) throw refuse('conflict', 'Service accounts are erased by an administrator');
          if (await contentDefinitions.isOwner(tx, accountId)) throw refuse('conflict', OWNS_CONTENT);
          // Beyond the limit of such mails an earlier code still works.
          await mailCode(deps, tx, account, 'erase', request);
          return {};
        });
      }
      const account = await accounts.findById(deps.db, accountId);
      const shown = { account, purpose: 'erase', typed: body.Code } as const;
      const { id: codeId } = await requireCode(call, shown);
      const ordered = await scheduleErasure(deps, { accountId, actor, codeId }, request);
      switch (ordered.kind) {
        case 'scheduled':
          return reply({ status: 202, body: { ErasedAt: ordered.erasesAt.toISOString() } });
        case 'owns_content':
          throw refuse('conflict', OWNS_CONTENT);
        case 'last_administrator':
          throw refuse('conflict', LAST_ADMINISTRATOR);
        default:
          // A code of an erased account, or one whose erasure is already requested, counts as a wrong one.
          throw refuse('invalid_code');
      }
    },
  }),

  route('POST /account/restore', {
    operationId: 'restoreAccount',
    summary: 'Cancel the erasure of your account',
    description:
      'Send the code from the link in the email that announced the erasure. It works once, until the account is ' +
      'erased. Sessions that ended stay ended: log in afterwards as usual.',
    access: 'public',
    body: Type.Object({
      // As with invitations, any invalid value gets the same response as a wrong code.
      Code: Type.Optional(Type.Unknown({ description: 'The `Code` parameter of the link, as a string' })),
    }),
    response: Type.Object({}),
    errors: ['invalid_code'],
    handler: async ({ body: { Code: typed }, deps, request, refuse }) => {
      const code = typeof typed === 'string' && typed.length <= RESTORE_CODE_MAX ? typed : '';
      return write(deps, { actor: { kind: 'System' }, origin: request }, async (tx) => {
        const accountId = await erasures.cancelOwn(tx, hashInvitationToken(code));
        if (accountId === undefined) throw refuse('invalid_code');
        await recordTakenBack(tx, accountId, { kind: 'Account', id: accountId }, request);
        return {};
      });
    },
  }),
];

const OWNS_CONTENT = 'The account owns content; an administrator has to give it to somebody else first';
const LAST_ADMINISTRATOR =
  'At least one other enabled administrator account without an expiry date must remain';
const RESTORE_CODE_MAX = 100;
