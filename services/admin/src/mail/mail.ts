import { readBrand } from '@gatehouse/brand';
import { actorOf, CHANGED_MAX, countedAs, write, type WriteTransaction } from '@gatehouse/accounts';
import {
  accounts,
  invitations,
  mailDeliveries,
  mailQuota,
  mailSecrets,
  ordered,
  sieve,
  until,
} from '@gatehouse/db';
import { mailKinds, newMailEvent, type MailKind } from '@gatehouse/events';
import { invalidField, textAs } from '@gatehouse/http';
import { by, computed, email, moment, record, time, timeOrNull, where, type RowOf } from '@gatehouse/kit';
import {
  createMailWriter,
  readMailLocales,
  sampleMails,
  type Letter,
  type WriteMail,
} from '@gatehouse/mails';
import { readPageAddresses } from '@gatehouse/runtime';
import {
  Email,
  emailKey,
  Locale,
  NameOf,
  normalizeEmail,
  Nullable,
  Text,
  Type,
  Uuid,
} from '@gatehouse/schema';
import { bulk, changes, list, one, route, routes } from '../deps.ts';

const Status = NameOf(['Pending', 'Sent', 'Retrying', 'Parked']);
const named = { name: 'Mail', noun: 'email' } as const;

/** A mail that the mail worker has recorded, without its content. */
const Mail = record(
  'mail_delivery',
  {
    id: Uuid(),
    kind: Type.String(),
    email: Nullable(Type.String(), { description: 'null if the message could not be decrypted' }),
    status: Status,
    tries: computed(
      Type.Integer({
        description: 'Number of delivery attempts since it was queued or last retried by an administrator',
      }),
      'tries - tries_forgiven',
    ),
    lastError: Nullable(Type.String()),
    nextTryAt: timeOrNull(),
    createdAt: time(),
    sentAt: timeOrNull(),
    parkedAt: timeOrNull(),
    traceId: Nullable(Type.String(), { description: 'The request that caused the email' }),
  },
  named,
);

const parkedFields = {
  id: Uuid(),
  kind: Type.String(),
  accountId: Uuid(),
  /**
   * What in it no longer works: its code or its link. If its content was not recorded or could not be decrypted, the mail
   * worker decides later: by then its key may be available again.
   */
  invalid: computed(
    Nullable(NameOf(['code', 'invitation', 'restore link'])),
    `case
       when code_id is not null and not ${mailSecrets.isCodeAliveSql('mail_delivery.account_id', 'code_id')} then 'code'
       when email is null then null
       when kind = 'invitation' and not ${invitations.linkIsValid('mail_delivery.id')} then 'invitation'
       when ${mailSecrets.isRestoreLinkInvalid('mail_delivery')} then 'restore link'
     end`,
  ),
};
/** The same mail, with what decides whether it may be sent again. */
const ParkedMail = record('mail_delivery', parkedFields, named);

/** Same wording as in its index. */
const FINISHED_AT = 'coalesce(sent_at, parked_at)';
const ofEmail = where(email(), ordered('lower(email) = :emailKey'));

export type MailWriterSettings = Parameters<typeof readPageAddresses>[0] & {
  readonly BRAND_FILE?: string | undefined;
  readonly LOCALES_DIRECTORY?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
  readonly ISSUER: string;
};

/** As that of a mail worker with the same settings; a `ConfigError` says what is wrong with them. */
export function openMailWriter(settings: MailWriterSettings): WriteMail {
  return createMailWriter({
    brand: readBrand(settings.BRAND_FILE),
    locales: readMailLocales(settings.LOCALES_DIRECTORY),
    publicUrl: new URL(settings.PUBLIC_URL ?? settings.ISSUER).href,
    ...readPageAddresses(settings),
  });
}

const ByKind = { kind: NameOf(mailKinds) };
const TemplateQuery = Type.Object({ locale: Type.Optional(Locale()) });

export const mailRoutes = routes({ tag: 'Mails', access: ['Admin'] }, [
  list(Mail, 'GET /admin/mail', {
    summary: 'List emails and their delivery status, newest first',
    description:
      'Lists the emails that the mail worker has recorded; sent ones are kept for `MAIL_KEEP_DAYS`, parked ' +
      'ones for at least 90 days. `finishedFrom` and `finishedTo` filter by the time when an email was sent ' +
      'or parked. A page can be short or empty and still have a `NextCursor`.',
    filters: {
      status: by(Status),
      email: ofEmail,
      traceId: by(Text(128)),
      finishedFrom: where(moment(), () => ({ sieve: [`${FINISHED_AT} >= :finishedFrom`], isIndexed: true })),
      // No mail is sent or parked before its event is created, and the id contains that time.
      finishedTo: where(moment(), (at, name) => ({ ...until(FINISHED_AT)(at, name), isIndexed: true })),
    },
    sieved: ['sent_at', 'parked_at'],
  }),

  one(Mail, 'GET /admin/mail/:id', { summary: 'Get an email and its delivery status' }),

  changes(Mail, 'POST /admin/mail/:id/retry', {
    operationId: 'retryMail',
    summary: 'Retry a parked email',
    description:
      'Resets its retry count and retry period and sends it immediately. Returns 409 if the email is not parked, ' +
      'or if its code, invitation or restore link is no longer valid; such an email is never sent.',
    recent: { never: 'it sends again what was sent to the same address' },
    errors: ['conflict'],
    run: async ({ tx, id, before, refuse }) => {
      if (before.status !== 'Parked')
        throw refuse('conflict', `Only a parked email can be retried; this one is ${before.status}`);
      // The mail worker would not send it either; this way the administrator is told at once.
      const parked = await ParkedMail.rows(tx, 'where id = ?', [id]);
      const [invalid] = parked.flatMap((mail) => mail.invalid ?? []);
      if (invalid !== undefined)
        throw refuse('conflict', `Its ${invalid} is no longer valid; request a new one`);
      await retry(parked, tx);
      return { row: (await Mail.find(tx, id)) ?? before };
    },
  }),

  bulk(ParkedMail, 'POST /admin/mail/retry', {
    operationId: 'retryMails',
    summary: 'Retry all matching parked emails',
    description:
      'Retries every parked email that matches the filter, as `POST /admin/mail/{id}/retry` does, and skips ' +
      'those whose code or link is no longer valid. An empty filter is refused. Returns 409 if more than ' +
      `${CHANGED_MAX} emails match.`,
    recent: { never: 'it sends again what was sent to the same addresses' },
    filters: {
      kind: by(NameOf(mailKinds)),
      email: ofEmail,
      from: where(moment(), sieve('created_at >= :from')),
      to: where(moment(), sieve('created_at < :to')),
      error: where(by(Text(200, { description: 'Part of `LastError`, case-insensitively' })), (text) => ({
        sieve: [`lower(last_error) like '%' || lower(:error) || '%'`],
        bindings: { error: text.replaceAll(/[\\%_]/g, String.raw`\$&`) },
      })),
    },
    title: 'ParkedMailFilter',
    always: `status = 'Parked'`,
    counts: 'Emails that are sent again',
    also: {
      Skipped: Type.Integer({ description: 'Matching emails whose code or link is no longer valid' }),
    },
    plan: (found) => {
      const rows = found.filter(({ invalid }) => invalid === null);
      return { rows, Skipped: found.length - rows.length };
    },
    run: (rows, { tx }) => retry(rows, tx),
  }),

  route('POST /admin/mail/test', {
    operationId: 'sendTestMail',
    summary: 'Send a test email',
    description:
      'Sends an email to this address in the same way as every email: through the outbox, the message broker, the ' +
      'mail worker and the mail server. `GET /admin/mail/{id}` shows its progress when the mail worker has ' +
      'recorded it.',
    recent: { never: 'it sends a fixed text' },
    body: Type.Object({ Email: Email() }),
    response: Type.Object({ Id: Uuid() }),
    status: 202,
    errors: ['too_many_requests'],
    handler: async ({ body, caller, deps, request, refuse }) => {
      const to = normalizeEmail(body.Email);
      if (to === undefined) throw invalidField('/Email', 'must be an email address', 'not_an_email');
      const actor = actorOf(caller);
      return write(deps, { actor, origin: request }, async (tx) => {
        // It counts towards the hourly limit of mails that administrators send to one address.
        const counted = countedAs('test', 'administrator');
        const { MAILS_PER_HOUR } = deps.settings;
        if (!(await mailQuota.takeForAddress(tx, emailKey(to), counted, MAILS_PER_HOUR)))
          throw refuse('too_many_requests', 'Hourly limit of test emails to this email address reached', {
            retryAfterSeconds: 3600,
          });
        const asker = actor.kind === 'Account' ? await accounts.findById(tx, actor.id) : undefined;
        const content = { Email: to, Locale: asker?.locale ?? 'en', At: new Date().toISOString() };
        const event = newMailEvent(deps.seal, 'mail.test-requested', { UserId: actor.id }, content, request);
        tx.event(event);
        tx.audit('mail.test-sent', undefined, { kind: 'Mail', id: event.id });
        return { Id: event.id };
      });
    },
  }),

  route('GET /admin/mail-template/:kind', {
    operationId: 'getMailTemplate',
    summary: 'Preview an email with sample data',
    description:
      'Renders an email as the mail worker does, with sample names, codes and links that do not work. `locale` is ' +
      'the locale of the recipient; English is used for locales without texts.',
    params: ByKind,
    query: TemplateQuery,
    response: Type.Object({ Subject: Type.String(), Text: Type.String(), Html: Type.String() }),
    handler: ({ params, query, deps }) => {
      const { subject, text, html } = sample(deps.writeMail, params.kind, query.locale);
      return { Subject: subject, Text: text, Html: html };
    },
  }),

  route('GET /admin/mail-template/:kind/page', {
    operationId: 'showMailTemplate',
    summary: 'Show the HTML of an email with sample data',
    description: 'As a page for a frame of the console: it runs no scripts, loads nothing and leads nowhere.',
    params: ByKind,
    query: TemplateQuery,
    response: textAs('text/html; charset=utf-8'),
    headers: {
      fixed: {
        'Cache-Control': 'no-store',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
      },
    },
    handler: ({ params, query, deps }) => {
      const { html, pictures } = sample(deps.writeMail, params.kind, query.locale);
      // Mails attach their pictures (RFC 2392), which a browser would not find.
      const dataOf = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;
      return pictures.reduce((page, { cid, png }) => page.replaceAll(`cid:${cid}`, dataOf(png)), html);
    },
  }),
]);

async function retry(mails: readonly RowOf<typeof parkedFields>[], tx: WriteTransaction): Promise<void> {
  const ids = mails.map(({ id }) => id);
  await mailDeliveries.retry(tx, ids);
  for (const { id, kind: Kind, accountId: UserId } of mails) tx.audit('mail.retried', { Kind, UserId }, id);
}

function sample(writeMail: WriteMail, kind: MailKind, locale = 'en'): Letter {
  return writeMail(kind, { ...sampleMails[kind], Locale: locale });
}
