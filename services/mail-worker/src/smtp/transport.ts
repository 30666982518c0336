import type { Letter } from '@gatehouse/mails';
import { faultOf, NO_TRACING, type Span, type Tracing } from '@gatehouse/runtime';
import type { Sender } from '../config.ts';
import { createConnections } from './connections.ts';
import type { SendSlot } from './send-slot.ts';
import { readSmtpUrl } from './smtp-url.ts';

/** A letter on its way to one mailbox. */
export interface Envelope {
  /** The event's; it makes the Message-ID, so that a repeat can be recognised. */
  id: string;
  /** One address as `normalizeEmail` gave it. */
  to: string;
  letter: Letter;
  traceId?: string | undefined;
  /** What no reason may repeat: some mail servers quote the mail that they refuse. */
  secrets?: readonly string[] | undefined;
  /** Waited for when the mail server has agreed to take the mail, just before it gets it. */
  slot?: SendSlot | undefined;
}

/**
 * The mail server's reply. `deferred`: not now (4xx, or no answer); `unreachable`: it accepts no mail at all;
 * `refused`: it will never accept this one.
 */
export type SendResult =
  { status: 'sent' } | { status: 'deferred' | 'unreachable' | 'refused'; reason: string };

export interface Mailer {
  send(envelope: Envelope): Promise<SendResult>;
  /** Whether the mail server can be reached and lets us in. */
  verify(): Promise<boolean>;
  close(): void;
}

/** However slowly a server answers: then the mail is given up, long before its time-outs add up to more. */
const SEND_MS = 60_000;

/**
 * Sends mails to the mail server that `smtpUrl` names; `ca`: who may sign its certificate, as PEM.
 *
 * @throws {ConfigError} when the URL would switch off the check of certificates.
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
    // The last in the queue waits less than the timeout of an idle connection.
    maxConnections: 8,
    // A connection that the server had closed while it was idle; nothing of the mail was sent on it.
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
        // Addresses as objects and an envelope of our own: a string would be parsed for further recipients.
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
        endSmtp(span, (error as SmtpError).responseCode, faultOf(error)); // nodemailer's
        return resultOf(error, secrets);
      }
    },
    verify: () => connections.verify(),
    close: () => connections.close(),
  };
}

/** The mail server, as a trace names it. */
function placeOf(smtpUrl: string) {
  const { hostname, port, protocol } = new URL(smtpUrl);
  const standard = protocol === 'smtps:' ? 465 : 587;
  return { 'server.address': hostname, 'server.port': port === '' ? standard : Number(port) };
}

function endSmtp(span: Span | undefined, replyCode: number | undefined, fault?: string): void {
  if (replyCode !== undefined) span?.set({ 'gatehouse.smtp.reply_code': replyCode });
  span?.end(fault);
}

/** A part related to the HTML that shows it (RFC 2387), not listed as an attachment. */
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

/** A 5xx counts against a mail only where it is about the mail: not when connecting or signing in. */
function resultOf(error: unknown, secrets: readonly string[] = []): SendResult {
  const fault = error as SmtpError; // nodemailer's, whose fields depend on what failed
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
/** 530 authentication required, 534 and 538 a stronger mechanism is, 535 wrong credentials (RFC 4954 §6). */
const SIGN_IN_CODES = new Set([530, 534, 535, 538]);
/** Nodemailer's words for what went wrong before any mail was looked at. */
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
