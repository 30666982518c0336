import { FAULTS, Integers, LoginStatus, PROBLEMS_MAX, Type } from '@gatehouse/schema';
import { ERRORS } from '../errors.ts';
import { ReplacedBy, ActiveSession } from '../other-sessions.ts';

const FieldError = Type.Object(
  {
    pointer: Type.String({
      description:
        'A JSON Pointer (RFC 6901) into the request body, or one that starts with `/query` or `/path`',
      examples: ['/Email'],
    }),
    message: Type.String({ description: 'Human-readable description; may change' }),
    code: Type.Enum(Object.keys(FAULTS), { type: 'string', description: 'Machine-readable code; stable' }),
  },
  { title: 'FieldError', description: 'An invalid field' },
);

/** The body of every error response, as the documents show it. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', examples: ['urn:gatehouse:problem:invalid_request'] }),
    title: Type.String({ examples: ['Invalid request'] }),
    status: Type.Integer({ examples: [400] }),
    detail: Type.String({ examples: ['The request failed validation'] }),
    code: Type.Enum(Object.keys(ERRORS), { type: 'string' }),
    traceId: Type.String({
      description: 'The trace ID of the request, as in the logs',
      examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
    }),
    errors: Type.Optional(
      Type.Array(FieldError, { maxItems: PROBLEMS_MAX, description: 'The invalid fields' }),
    ),
    LoginStatus: Type.Optional(Integers(LoginStatus, 'LoginStatus')),
    DisabledUntil: Type.Optional(Type.String({ format: 'date-time' })),
    DisabledReason: Type.Optional(Type.String()),
    ReplacedBy: Type.Optional(ReplacedBy),
    Active: Type.Optional(Type.Array(ActiveSession)),
    TakeOverToken: Type.Optional(Type.String()),
  },
  {
    title: 'Problem',
    description:
      'A problem document (RFC 9457). Handle errors by `code`, which is stable; `title` and `detail` may ' +
      'change. `LoginStatus` is the condition of the account, `DisabledUntil` and `DisabledReason` what its owner may ' +
      'know of it, and `ReplacedBy` the login that replaced the session, if that is the reason for the error. With `session_exists`, `Active` has the sessions in the way, least ' +
      'recently seen first, and the `TakeOverToken` repeats the login and ends the first.',
  },
);
