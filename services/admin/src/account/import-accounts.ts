import { actorOf, importAccounts as importLines, ImportLine, type Import } from '@gatehouse/accounts';
import { ApiError } from '@gatehouse/http';
import { Type, type Static } from '@gatehouse/schema';
import { route } from '../deps.ts';

const Answer = Type.Object({
  Imported: Type.Integer({ description: 'Accounts that were made' }),
  Skipped: Type.Integer({ description: 'Lines whose email has an account already, which stays as it is' }),
  Failed: Type.Integer({ description: 'Lines that hold no account' }),
  Failures: Type.Array(
    Type.Object({
      Line: Type.Integer({ minimum: 1 }),
      Code: Type.Unsafe<'invalid_line' | 'email_taken'>({
        type: 'string',
        enum: ['invalid_line', 'email_taken'],
      }),
      Message: Type.String(),
    }),
    { description: 'What was skipped or failed, by its line from 1: the first thousand of each' },
  ),
});

export const importAccounts = route({
  method: 'post',
  path: '/admin/account/import',
  operationId: 'importAccounts',
  tag: 'Accounts',
  summary: 'Import accounts from another system',
  description:
    'An account a line, as many lines as you like. With a bcrypt hash the account can log in at once, without one ' +
    'its owner completes it by registering (`LoginStatus` 6). Every few hundred lines are committed for good: after ' +
    'an interruption send the same lines again, those that are done are skipped.',
  access: ['Admin'],
  ndjson: ImportLine,
  response: Answer,
  handler: async ({ lines, caller, deps, request }) => {
    const outcome = await importLines(deps, lines, { actor: actorOf(caller), origin: request });
    request.note({ imported: outcome.imported, skipped: outcome.skipped, failed: outcome.failed });
    if (outcome.interruption !== undefined) throw interrupted(outcome, outcome.interruption);
    return answerOf(outcome);
  },
});

function answerOf({ imported, skipped, failed, failures }: Import): Static<typeof Answer> {
  return {
    Imported: imported,
    Skipped: skipped,
    Failed: failed,
    Failures: failures
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, code, message }) => ({ Line: line, Code: code, Message: message })),
  };
}

function interrupted({ imported, lastLine }: Import, cause: NonNullable<Import['interruption']>): ApiError {
  const done = `${imported} accounts were imported and all lines up to ${lastLine} are done`;
  return new ApiError('unavailable', `${done}; send the rest, or all of it, again`, {
    cause,
    retryAfterSeconds: cause.retryAfterSeconds,
  });
}
