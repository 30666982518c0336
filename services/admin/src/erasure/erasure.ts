import {
  actorOf,
  EXPORT_ROWS_MAX,
  exportAccount,
  recordTakenBack,
  scheduleErasure,
  write,
} from '@gatehouse/accounts';
import { accountAdmin, accounts, erasures } from '@gatehouse/db';
import {
  accountExportAnswer,
  AccountExportAnswer,
  EXPORT_HEADERS,
  invalidField,
  Page,
  pagingById,
  pagingQuery,
} from '@gatehouse/http';
import {
  by,
  computed,
  defineFilters,
  named,
  readMoment,
  record,
  time,
  timeOrNull,
  where,
} from '@gatehouse/kit';
import { Enum, NameOf, Nullable, Text, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { AccountAnswer, accountAnswer, unknownAccount } from '../account-answer.ts';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

const STATES = {
  Pending: erasures.IS_PENDING,
  Erased: 'erased_at is not null',
  Restored: 'restored_at is not null',
} as const;
const stateNames = ['Pending', 'Erased', 'Restored'] as const;

const ErasedRows = Type.Object(
  {},
  { title: 'ErasedRows', additionalProperties: true, description: 'The number of removed rows by table' },
);

/** The erasure of an account: pending, done or cancelled. It contains no personal data. */
const Erasure = record(
  'erasure',
  {
    id: Uuid(),
    userId: computed(Uuid(), 'account_id'),
    state: computed(
      Enum([...stateNames]),
      `case when ${STATES.Erased} then 'Erased' when ${STATES.Restored} then 'Restored' else 'Pending' end`,
    ),
    askedAt: time(),
    askedByKind: Enum(['Account', 'ApiToken', 'System']),
    askedBy: Nullable(Uuid(), {
      description: 'The account or API token that requested it; equal to `UserId` if it was the owner',
    }),
    erasesAt: time(),
    restoredAt: timeOrNull(),
    erasedAt: timeOrNull(),
    counts: Nullable(ErasedRows),
  },
  { name: 'Erasure' },
);

const paging = pagingById('ErasureId');
const filters = defineFilters({
  userId: named('accountId', by(Uuid())),
  state: where(by(NameOf([...stateNames])), (state) => ({ ordered: [STATES[state]] })),
});
const found = Erasure.list(filters.sql);

const LAST_ADMINISTRATOR =
  'At least one other enabled administrator account without an expiry date must remain';
const DAY_MS = 24 * 3600 * 1000;
const DAYS_MAX = 366;

export const erasureRoutes = [
  route('DELETE /admin/account/:id', {
    operationId: 'eraseAccountOf',
    summary: 'Erase an account',
    description:
      'Disables the account and ends its sessions before the response is sent, and erases it at `After` ' +
      '(immediately, if it has passed), or after `ERASE_AFTER_DAYS`; until then `POST ' +
      '/admin/account/{id}/restore` cancels the erasure. If the owner has already requested an erasure, this one ' +
      'replaces it: it takes effect no later, and the owner’s link no longer cancels it. Returns 409 for the last ' +
      'administrator, for an account whose erasure was already ordered, and for one that owns content, unless ' +
      '`TransferContentTo` is the account that gets it.',
    recent: 'session',
    body: Type.Object({
      Reason: Type.Optional(Text(200, { description: 'Stored in the audit until the account is erased' })),
      After: Type.Optional(Timestamp()),
      TransferContentTo: Type.Optional(Uuid()),
    }),
    response: Type.Object({ ErasedAt: Timestamp() }),
    status: 202,
    errors: ['not_found', 'conflict'],
    handler: async ({ params: { id }, body, caller, deps, request, refuse }) => {
      const moment = readMoment(body.After, '/After');
      if (moment !== undefined && moment.getTime() > Date.now() + DAYS_MAX * DAY_MS)
        throw invalidField('/After', `must be within ${DAYS_MAX} days`, 'too_large');
      request.addToLog({ targetId: id });
      const { Reason: reason, TransferContentTo: heirId } = body;
      const order = { accountId: id, actor: actorOf(caller), moment, reason, heirId };
      const ordered = await scheduleErasure(deps, order, request);
      switch (ordered.kind) {
        case 'scheduled':
          return { ErasedAt: ordered.erasesAt.toISOString() };
        case 'unknown':
          throw unknownAccount(refuse);
        case 'unfit_heir':
          throw invalidField(
            '/TransferContentTo',
            'must be another account that can log in, with a role other than Guest',
            'unknown_object',
          );
        case 'used':
        case 'pending':
          throw refuse('conflict', 'The account is to be erased already');
        case 'last_administrator':
          throw refuse('conflict', LAST_ADMINISTRATOR);
        case 'owns_content':
          throw refuse('conflict', 'The account owns content: say in TransferContentTo who gets it');
      }
    },
  }),

  route('POST /admin/account/:id/restore', {
    operationId: 'restoreAccountOf',
    summary: 'Cancel the erasure of an account',
    description:
      'Possible while the erasure is pending. Restores the account; it is disabled if an administrator had ' +
      'disabled it. Sessions that ended stay ended, and content that was transferred stays with its new owner.',
    recent: true,
    response: AccountAnswer,
    errors: ['not_found', 'conflict'],
    handler: async ({ params: { id }, caller, deps, request, refuse }) => {
      request.addToLog({ targetId: id });
      const actor = actorOf(caller);
      return write(deps, { actor, origin: request }, async (tx) => {
        if ((await accountAdmin.lock(tx, id)) === undefined) throw unknownAccount(refuse);
        if (!(await erasures.cancel(tx, id)))
          throw refuse('conflict', 'The account is not to be erased, or its erasure has begun');
        const account = await accountAdmin.find(tx, id);
        if (account === undefined) throw unknownAccount(refuse);
        await recordTakenBack(tx, id, actor, request);
        return accountAnswer(account);
      });
    },
  }),

  route('GET /admin/account/:id/export', {
    operationId: 'exportAccountOf',
    summary: 'Export all data of an account',
    description: `For example, for an owner who requested it by letter. Returns the document of \`POST /account/export\`, with at most ${EXPORT_ROWS_MAX} rows in each section.`,
    recent: 'session',
    rules: { isDownload: true },
    response: AccountExportAnswer,
    headers: { fixed: EXPORT_HEADERS },
    errors: ['not_found'],
    handler: async ({ params: { id }, caller, deps, request, refuse }) => {
      request.addToLog({ targetId: id });
      const wanted = { accountId: id, actor: actorOf(caller), origin: request };
      const exported = await exportAccount(deps, wanted, async (tx) => {
        if ((await accounts.findById(tx, id)) === undefined) throw unknownAccount(refuse);
      });
      return accountExportAnswer(exported);
    },
  }),

  route('GET /admin/erasure', {
    operationId: 'listErasures',
    summary: 'List erasures, newest first',
    description:
      'Includes pending, completed and cancelled erasures. They contain no personal data and are never deleted, ' +
      'because a restored backup needs them.',
    query: Type.Object({ ...pagingQuery(), ...filters.query }),
    response: Page(Erasure.Answer),
    handler: ({ query, deps }) =>
      paging.answer(query, {
        find: (page) => found.findNewest(deps.db, filters.ofQuery(query), page),
        items: (rows) => rows.map(Erasure.answer),
      }),
  }),
];
