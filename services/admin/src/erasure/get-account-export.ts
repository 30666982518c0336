import { actorOf, EXPORT_ROWS_MAX, exportAccount } from '@gatehouse/accounts';
import { AccountExportAnswer, accountExportAnswer, EXPORT_HEADERS } from '@gatehouse/http';
import { AccountPath, unknownAccount } from '../account-answer.ts';
import { route } from '../deps.ts';

export const getAccountExport = route({
  method: 'get',
  path: '/admin/account/:id/export',
  operationId: 'exportAccountOf',
  tag: 'Accounts',
  summary: 'Export all data of an account',
  description: `For example, for an owner who requested it by letter. Returns the document of \`POST /account/export\`, with at most ${EXPORT_ROWS_MAX} rows in each section.`,
  access: ['Admin'],
  recent: 'session',
  params: AccountPath,
  rules: { isDownload: true },
  response: AccountExportAnswer,
  headers: { fixed: EXPORT_HEADERS },
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    request.addToLog({ targetId: params.id });
    const document = await exportAccount(deps, params.id, actorOf(caller), request);
    if (document === undefined) throw unknownAccount(refuse);
    return accountExportAnswer(document);
  },
});
