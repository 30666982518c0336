import { actorOf, sendTestMail as mailTest } from '@gatehouse/accounts';
import { invalidRequest } from '@gatehouse/http';
import { Email, normalizeEmail, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

const HOUR_SECONDS = 3600;

export const sendTestMail = route({
  method: 'post',
  path: '/admin/mail/test',
  operationId: 'sendTestMail',
  tag: 'Mails',
  summary: 'Send a test email',
  description:
    'Sends an email to this address in the same way as every email: through the outbox, the message broker, the ' +
    'mail worker and the mail server. `GET /admin/mail/{id}` shows its progress when the mail worker has ' +
    'recorded it.',
  access: ['Admin'],
  recent: { never: 'it sends a fixed text' },
  body: Type.Object({ Email: Email() }),
  response: Type.Object({ Id: Uuid() }),
  status: 202,
  errors: ['too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const email = normalizeEmail(body.Email);
    if (email === undefined) {
      throw invalidRequest(undefined, {
        errors: [{ pointer: '/Email', message: 'must be an email address', code: 'not_an_email' }],
      });
    }
    const sent = await mailTest(deps, { email, actor: actorOf(caller) }, request);
    if (sent.kind === 'queued') return { Id: sent.id };
    throw refuse('too_many_requests', 'Hourly limit of test emails to this email address reached', {
      retryAfterSeconds: HOUR_SECONDS,
    });
  },
});
