import { EXPORT_ROWS_MAX, exportOwnAccount } from '@gatehouse/accounts';
import { AccountExportAnswer, accountExportAnswer, EXPORT_HEADERS } from '@gatehouse/http';
import { route } from '../deps.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody, readOwnerProof, proofError } from '../owner-proof.ts';

export const postExport = route({
  method: 'post',
  path: '/account/export',
  operationId: 'exportAccount',
  tag: 'Account',
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
  handler: async ({ body, caller, deps, request, refuse }) => {
    const outcome = await exportOwnAccount(deps, readOwnerProof(body, caller, request), request);
    switch (outcome.kind) {
      case 'exported':
        return accountExportAnswer(outcome.document);
      case 'limited': {
        const { retryAfterSeconds } = outcome;
        throw refuse('too_many_requests', 'Hourly limit of exports of this account reached', {
          retryAfterSeconds,
        });
      }
      case 'throttled':
      case 'unproven':
      case 'wrong':
        throw proofError(refuse, outcome);
    }
  },
});
