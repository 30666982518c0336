import type { Letter } from '@gatehouse/mails';
import { ConfigError, faultOf, NO_TRACING, trustOf, type Span, type Tracing } from '@gatehouse/runtime';
import type { Sender } from '../config.ts';
import { createConnections } from './connections.ts';
import type { SendSlot } from './send-slot.ts';
import { classify, type Refusal, type SmtpError } from './smtp-refusal.ts';

interface Envelope {
  /** The id of the event. The Message-ID is made from it, so that repeats can be recognised. */
  id: string;
  /** One address, as returned by `normalizeEmail`. */
  to: string;
  letter: Letter;
  traceId?: string | undefined;
  /** Removed from error reasons, because some mail servers quote the mail that they refuse. */
  secrets?: readonly string[] | undefined;
  /** Acquired when the mail server has agreed to accept the mail, just before its content is sent. */
  slot?: SendSlot | undefined;
}

export type SendResult = { status: 'sent' } | (Refusal & { reason: string });

export interface Mailer {
  send(envelope: Envelope): Promise<SendResult>;
  /** Why the mail server cannot be reached or does not accept our login; `undefined` if it does. */
  verify(): Promise<string | undefined>;
  close(): void;
}

/** The maximum time for a mail. The timeouts of a very slow server could add up to much more. */
const SEND_MS = 60_000;

/**
 * Sends mails to the mail server of `smtpUrl`. `ca`: the authorities that may sign its certificate, as PEM.
 *
 * @throws {ConfigError} if the URL would turn off the verification of certificates.
 */
export function createMailer(options: {
  smtpUrl: string;
  ca?: string | undefined;
  from: Sender;
  sendMs?: number;
  tracing?: Tracing | undefined;
}): Mailer {
  const { smtpUrl, ca, from, sendMs = SEND_MS, tracing = NO_TRACING } = options;
  const place = placeOf(smtpUrl);
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const connections = createConnections({
    ...readSmtpUrl(smtpUrl, ca),
    // Few enough that the last connection in the queue waits less than the timeout of an idle connection.
    maxConnections: 8,
    // For connections that the server closed while they were idle; nothing of the mail was sent on them.
    maxRequeues: 2,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ id, to, letter, traceId, secrets, slot }) => {
      const mail = {
        // Addresses as objects, and an explicit envelope: a string would be parsed for additional recipients.
        envelope: { from: from.address, to: [to] },
        from,
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(traceId !== undefined && HEADER_VALUE.test(traceId) && { 'X-Trace-Id': traceId }),
        },
        xMailer: false as const,
        subject: letter.subject,
        text: letter.text,
        html: letter.html,
        attachments: letter.pictures.map(attachmentOf),
      };
      const span = tracing.part('smtp', 'client', place);
      try {
        endSmtp(span, await connections.send(mail, { slot, signal: AbortSignal.timeout(sendMs) }));
        return { status: 'sent' };
      } catch (error) {
        const refusal = error as SmtpError; // of nodemailer
        endSmtp(span, refusal.responseCode, faultOf(error));
        return { ...classify(refusal), reason: reasonOf(error, secrets) };
      }
    },
    verify: async () => {
      const error = await connections.verify();
      return error && reasonOf(error);
    },
    close: () => connections.close(),
  };
}

function placeOf(smtpUrl: string) {
  const { hostname, port, protocol } = new URL(smtpUrl);
  const standard = protocol === 'smtps:' ? 465 : 587;
  return { 'server.address': hostname, 'server.port': port === '' ? standard : Number(port) };
}

function endSmtp(span: Span | undefined, replyCode: number | undefined, fault?: string): void {
  if (replyCode !== undefined) span?.set({ 'gatehouse.smtp.reply_code': replyCode });
  span?.end(fault);
}

/** An image that is related to the HTML (RFC 2387), so that it is not listed as an attachment. */
function attachmentOf({ cid, png }: Letter['pictures'][number]) {
  const contentDisposition = 'inline' as const;
  return { cid, content: png, contentType: 'image/png', contentDisposition, filename: 'logo.png' };
}

const REASON_LENGTH_MAX = 300;

/** What the mail server said, in one line. */
function reasonOf(error: unknown, secrets: readonly string[] = []): string {
  const said = error instanceof Error ? error.message : '';
  const text = secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), said);
  const line = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return line.slice(0, REASON_LENGTH_MAX) || 'rejected by the mail server';
}

const HEADER_VALUE = /^[\w.:-]{1,128}$/;

/**
 * The encryption that `SMTP_URL` requests, as nodemailer's options. `smtps://` is TLS from the first byte; `smtp://`
 * starts unencrypted, and an attacker on the path can hide that the server offers STARTTLS. With a password or
 * `SMTP_CA`, STARTTLS is therefore required, unless the URL contains `requireTLS=false`.
 *
 * @throws {ConfigError} if the URL would turn off the verification of certificates.
 */
function readSmtpUrl(smtpUrl: string, ca: string | undefined) {
  const url = new URL(smtpUrl);
  const wish = url.searchParams.get('requireTLS');
  const isOptional = wish === 'false' || (wish === null && url.username === '' && ca === undefined);
  const isSecure = url.protocol === 'smtps:';
  for (const name of url.searchParams.keys()) {
    if (!name.startsWith('tls.') || name === 'tls.servername') continue;
    throw new ConfigError(`SMTP_URL must not have ${name}: the certificate is always checked; see SMTP_CA`);
  }
  // If the server offers a certificate, it is verified, even if TLS is not required.
  const isTls = isSecure || !isOptional || ca === undefined;
  return { url: smtpUrl, tls: trustOf({ name: 'SMTP', isTls, ca }), requireTLS: !isSecure && !isOptional };
}
