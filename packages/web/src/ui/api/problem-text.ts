import type { ClientErrorCode } from 'gatehouse-client';
import type { Problem } from './api.ts';
import type { MessageKey, Text } from '../locale/locale.ts';

/** A form's own texts for error codes, which are more specific than the general ones. */
export type Explanations = Readonly<Partial<Record<ClientErrorCode, MessageKey>>>;

/** Says what happened, and what the user can do. */
export function problemText(problem: Problem, text: Text, explanations: Explanations = {}): string {
  const key = explanations[problem.code] ?? PROBLEMS[problem.code];
  if (key !== undefined) return text(key);
  return problem.traceId === undefined
    ? text('problem.unexpected')
    : text('problem.unexpected.trace', { traceId: problem.traceId });
}

/** What is said if something could not be loaded: there is no form to send again. */
export const NOT_LOADED: Explanations = { unavailable: 'own.unavailable', offline: 'own.offline' };

const PROBLEMS: Explanations = {
  offline: 'problem.offline',
  unavailable: 'problem.unavailable',
  request_timeout: 'problem.unavailable',
  too_many_requests: 'problem.too_many_requests',
  invalid_request: 'problem.invalid_request',
  invalid_code: 'problem.invalid_code',
  invalid_invitation: 'problem.invalid_invitation',
  token_missing: 'problem.signed_out',
  token_invalid: 'problem.signed_out',
  token_expired: 'problem.signed_out',
  session_ended: 'problem.signed_out',
  session_expired: 'problem.signed_out',
  session_replaced: 'problem.signed_out',
  session_deactivated: 'problem.signed_out',
};
