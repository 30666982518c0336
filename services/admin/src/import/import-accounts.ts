import { actorOf, IMPORT_FAULTS, importAccounts as importLines, ImportLine } from '@gatehouse/accounts';
import type { Import } from '@gatehouse/accounts';
import { readFirebaseParameters } from '@gatehouse/auth-core';
import { confirmationRequired, invalidField, ndjson } from '@gatehouse/http';
import { Enum, Optional, type Static, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

const Answer = Type.Object({
  Imported: Type.Integer({ description: 'Number of accounts created' }),
  Skipped: Type.Integer({
    description: 'Number of lines whose email address already has an account, which is left unchanged',
  }),
  Failed: Type.Integer({ description: 'Number of invalid lines' }),
  Failures: Type.Array(
    Type.Object(
      { Line: Type.Integer({ minimum: 1 }), Code: Enum(IMPORT_FAULTS), Message: Type.String() },
      { title: 'ImportFailure' },
    ),
    { description: 'The skipped and failed lines, numbered from 1; at most 1000 of each' },
  ),
  Waiting: Type.Optional(
    Type.Array(Uuid(), {
      description:
        'The IDs of the imported accounts that wait for their owners, at most 1000. Nobody was told: ' +
        '`/admin/account/bulk/invite` mails them',
    }),
  ),
  SlowHashes: Type.Optional(
    Type.Object(
      {
        Lines: Type.Integer({ minimum: 1 }),
        Cost: Type.Integer({ description: 'The highest cost among them, as a cost of bcrypt' }),
      },
      {
        title: 'SlowHashes',
        description:
          'Lines whose hash takes longer to check than one of ours. While such a hash is stored, every wrong password ' +
          'takes as long, for all accounts; with `slowHashes=drop` they were not stored',
      },
    ),
  ),
});

export const importAccounts = route('POST /admin/account/import', {
  operationId: 'importAccounts',
  tag: 'Accounts',
  summary: 'Import accounts from another system',
  description:
    'One account per line, with no limit on the number of lines; accounts without a password are ' +
    'completed by their owners with a mailed code (`LoginStatus` 6). After an interruption, send the same ' +
    'lines again; those already imported are skipped. With `dryRun=true` nothing is imported, and the ' +
    'response is what the import would return.',
  recent: { when: 'it is not a dry run' },
  query: Type.Object({
    dryRun: Optional.Boolean(),
    slowHashes: Type.Optional(
      Enum(['keep', 'drop'], {
        description:
          'Whether hashes that take longer to check than ours are stored (`keep`, the default). With `drop` their owners ' +
          'choose a new password by mail (`LoginStatus` 6)',
      }),
    ),
    firebase: Optional.String({
      maxLength: 512,
      description:
        'The hash parameters of a Firebase project: `<signer key>,<salt separator>,<rounds>,<memory cost>`, ' +
        'the first two in base64url. They are not stored',
    }),
  }),
  body: ndjson(ImportLine),
  response: Answer,
  errors: ['confirmation_required'],
  handler: async ({ body: lines, query, caller, deps, request, isConfirmed, refuse }) => {
    const isTrial = query.dryRun === true;
    const firebase = query.firebase === undefined ? undefined : readFirebaseParameters(query.firebase);
    if (query.firebase !== undefined && firebase === undefined)
      throw invalidField(
        '/query/firebase',
        'must be signer key, salt separator, rounds and memory cost, separated by commas',
        'malformed',
      );
    // Any line may create an administrator, and there may be many lines.
    if (!isTrial && !(await isConfirmed())) throw confirmationRequired(refuse);
    const dropsSlow = query.slowHashes === 'drop';
    const by = { actor: actorOf(caller), origin: request, isTrial, firebase, dropsSlow };
    const outcome = await importLines(deps, lines, by);
    const { imported, skipped, failed, lastLine, interruption: cause } = outcome;
    request.addToLog({ imported: isTrial ? 0 : imported, skipped, failed });
    if (cause === undefined) return answerOf(outcome);
    const done = `${imported} accounts imported, all lines up to ${lastLine} processed`;
    const detail = `Import interrupted: ${done}. Send the remaining or all lines again`;
    throw refuse('unavailable', detail, { cause, retryAfterSeconds: cause.retryAfterSeconds });
  },
});

function answerOf({ imported, skipped, failed, failures, slow, waiting }: Import): Static<typeof Answer> {
  return {
    Imported: imported,
    Skipped: skipped,
    Failed: failed,
    Failures: failures
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, code, message }) => ({ Line: line, Code: code, Message: message })),
    ...(waiting.length > 0 && { Waiting: waiting }),
    ...(slow.lines > 0 && { SlowHashes: { Lines: slow.lines, Cost: slow.cost } }),
  };
}
