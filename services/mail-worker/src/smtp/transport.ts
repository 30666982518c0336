import type { Letter } from '@gatehouse/mails';
import { ConfigError, faultOf, NO_TRACING, trustOf, type Span, type Tracing } from '@gatehouse/runtime';
import type { Sender } from '../config.ts';
import { createConnections } from './connections.ts';
import type { SendSlot } from './send-slot.ts';

/** A letter for one mailbox. */
export interface Envelope {
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

/**
 * The mail server's reply. `deferred`: not now (4xx, or no reply); `unreachable`: it accepts no mail at all;
 * `refused`: it will never accept this mail.
 */
export type SendResult =
  { status: 'sent' } | { status: 'deferred' | 'unreachable' | 'refused'; reason: string };

export interface Mailer {
  send(envelope: Envelope): Promise<SendResult>;
  /** Whether the mail server can be reached and accepts our login. */
  verify(): Promise<boolean>;
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
          ...(traceId !== undefined && isHeaderValue(traceId) && { 'X-Trace-Id': traceId }),
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
        endSmtp(span, (error as SmtpError).responseCode, faultOf(error)); // an error of nodemailer
        return resultOf(error, secrets);
      }
    },
    verify: () => connections.verify(),
    close: () => connections.close(),
  };
}

/** The attributes of the mail server in traces. */
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

interface SmtpError {
  code?: string;
  responseCode?: number;
  command?: string;
  timeoutType?: string;
  message?: string;
}

/** A 5xx counts against a mail only if it is about the mail, not if it occurs when connecting or signing in. */
function resultOf(error: unknown, secrets: readonly string[] = []): SendResult {
  const fault = error as SmtpError; // an error of nodemailer, with different fields for each cause
  const { code = '', responseCode = 0, command = '' } = fault;
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), fault.message ?? '');
  const reason = oneLine(said) || 'rejected by the mail server';
  if (ABOUT_MAIL.test(command) && !SIGN_IN_CODES.has(responseCode)) {
    if (responseCode >= 500) return { status: 'refused', reason };
    if (responseCode >= 400) return { status: 'deferred', reason };
  }
  const isSlow = code === 'EABORT' || fault.timeoutType === 'SOCKET_TIMEOUT';
  return { status: isSlow || !ABOUT_SERVER.has(code) ? 'deferred' : 'unreachable', reason };
}

const ABOUT_MAIL = /^(MAIL FROM|RCPT TO|DATA)/;
/**
 * 530: authentication required; 534 and 538: a stronger mechanism is required; 535: wrong credentials (RFC 4954 §6).
 */
const SIGN_IN_CODES = new Set([530, 534, 535, 538]);
/** Nodemailer's codes for errors that occur before the server has seen a mail. */
const ABOUT_SERVER = new Set([
  'EAUTH',
  'ECONNECTION',
  'EDNS',
  'EENVELOPE',
  'ENOAUTH',
  'EPROTOCOL',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
]);

const REASON_LENGTH_MAX = 300;

function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, REASON_LENGTH_MAX);
}

function isHeaderValue(text: string): boolean {
  return /^[\w.:-]{1,128}$/.test(text);
}

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
  return {
    url: smtpUrl,
    tls: trustOf({ name: 'SMTP', isTls, ca }),
    requireTLS: !isSecure && !isOptional,
  };
}
