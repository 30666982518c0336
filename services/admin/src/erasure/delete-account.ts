import { actorOf, scheduleErasure, type ScheduleErasureResult } from '@gatehouse/accounts';
import { invalidRequest, type ApiError, type Refuse } from '@gatehouse/http';
import { Text, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { AccountPath, unknownAccount } from '../account-answer.ts';
import { route } from '../deps.ts';
import { readMoment } from '@gatehouse/kit';

const DAY_MS = 24 * 3600 * 1000;
const DAYS_MAX = 366;

export const deleteAccount = route({
  method: 'delete',
  path: '/admin/account/:id',
  operationId: 'eraseAccountOf',
  tag: 'Accounts',
  summary: 'Erase an account',
  description:
    'Disables the account and ends its sessions before the response is sent, and erases it at `After` ' +
    '(immediately, if it has passed), or after `ERASE_AFTER_DAYS`; until then `POST ' +
    '/admin/account/{id}/restore` cancels the erasure. If the owner has already requested an erasure, this one ' +
    'replaces it: it takes effect no later, and the owner’s link no longer cancels it. Returns 409 for the last ' +
    'administrator, for an account whose erasure was already ordered, and for one that owns content, unless ' +
    '`TransferContentTo` is the account that gets it.',
  access: ['Admin'],
  recent: 'session',
  params: AccountPath,
  body: Type.Object({
    Reason: Type.Optional(Text(200, { description: 'Stored in the audit until the account is erased' })),
    After: Type.Optional(Timestamp()),
    TransferContentTo: Type.Optional(Uuid()),
  }),
  response: Type.Object({ ErasedAt: Timestamp() }),
  status: 202,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const moment = readMoment(body.After, '/After');
    if (moment !== undefined && moment.getTime() > Date.now() + DAYS_MAX * DAY_MS) throw tooLate();
    request.addToLog({ targetId: params.id });
    const order = {
      accountId: params.id,
      actor: actorOf(caller),
      moment,
      reason: body.Reason,
      heirId: body.TransferContentTo,
    };
    const ordered = await scheduleErasure(deps, order, request);
    if (ordered.kind !== 'scheduled') throw refusalOf(refuse, ordered.kind);
    return { ErasedAt: ordered.erasesAt.toISOString() };
  },
});

function tooLate(): ApiError {
  const message = `must be within ${DAYS_MAX} days`;
  return invalidRequest(undefined, { errors: [{ pointer: '/After', message, code: 'too_large' }] });
}

function refusalOf(
  refuse: Refuse<'not_found' | 'conflict'>,
  kind: Exclude<ScheduleErasureResult['kind'], 'scheduled'>,
): ApiError {
  switch (kind) {
    case 'unknown':
      return unknownAccount(refuse);
    case 'unfit_heir':
      return invalidRequest(undefined, {
        errors: [
          {
            pointer: '/TransferContentTo',
            message: 'must be another account that can log in, with a role other than Guest',
            code: 'unknown_object',
          },
        ],
      });
    case 'used':
    case 'pending':
      return refuse('conflict', 'The account is to be erased already');
    case 'last_administrator':
      return refuse(
        'conflict',
        'At least one other enabled administrator account without an expiry date must remain',
      );
    case 'owns_content':
      return refuse('conflict', 'The account owns content: say in TransferContentTo who gets it');
  }
}
