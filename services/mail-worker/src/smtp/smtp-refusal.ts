/** An error of nodemailer, which has different fields for each cause. */
export interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
  timeoutType?: string;
}

export interface Refusal {
  /** `deferred`: not now; `unreachable`: no mail at all; `refused`: never, for its recipient or its content. */
  status: 'deferred' | 'unreachable' | 'refused';
  /** Whether the server answered, and the reason is ours: the sender, its quota, or a rule. It concerns other mails too. */
  isOurs: boolean;
}

/**
 * Classifies an error by the step, the reply code (RFC 5321 §4.2.3) and the enhanced status code (RFC 3463). A refusal
 * that is not certainly about the recipient or the content is not final: the mail would be lost although the next one,
 * or the same one an hour later, is accepted. Many servers check the sender only at RCPT TO, so the step alone does not
 * tell. An answer may have the status in any of its lines, Cisco's after a `#`; without any that is specific, its words
 * tell.
 */
export function classify(error: SmtpError): Refusal {
  const { code = '', responseCode = 0, response = '', command = '', timeoutType } = error;
  if (responseCode >= 400 && ABOUT_MAIL.test(command)) {
    if (responseCode < 500) return { status: 'deferred', isOurs: false };
    // At MAIL FROM the server knows neither the recipient nor the content.
    if (command.startsWith('MAIL') || SIGN_IN_CODES.has(responseCode))
      return { status: 'unreachable', isOurs: true };
    const enhanced = /^\d{3}[ -]#?5\.(\d{1,3}\.\d{1,3})\b/m.exec(response)?.[1];
    const isVague = enhanced === undefined || !SPECIFIC.test(enhanced);
    const isSaid = isVague ? OUR_WORDS.test(wordsOf(response)) : OURS.test(enhanced);
    const isOurs = SERVER_CODES.has(responseCode) || isSaid;
    return { status: isOurs ? 'deferred' : 'refused', isOurs };
  }
  const isSlow = code === 'EABORT' || timeoutType === 'SOCKET_TIMEOUT';
  return { status: isSlow || !ABOUT_SERVER.has(code) ? 'deferred' : 'unreachable', isOurs: false };
}

/** An answer without the addresses that it quotes, which may have any words in them. */
function wordsOf(response: string): string {
  return response
    .split(/\s/)
    .filter((word) => !word.includes('@'))
    .join(' ');
}

const ABOUT_MAIL = /^(MAIL FROM|RCPT TO|DATA)/;
/** 5.1.7, 5.1.8: the sender; 5.1.90: Exchange Online's quota; 5.3: the mail system; 5.4.5: a quota; 5.7: a rule. */
const OURS = /^(1\.(?:[78]|90)|3\.\d+|4\.5|7\.\d+)$/;
/** Of the register, or one that says enough: `.0` is for anything, and Exchange Online has longer ones of its own. */
const SPECIFIC = /^(?:[37]\.\d+|\d\.[1-9]\d?)$/;
/** As Exim, SES, SendGrid, Exchange Online and others say it without a status that does. */
const OUR_WORDS =
  /\b(?:sender|send ?as|sending|from address|not verified|relay(?:ing)?|spf|dkim|dmarc|block-?list|black-?list)/i;
/** 530: authentication required; 534, 538: a stronger mechanism; 535: wrong credentials (RFC 4954 §6). */
const SIGN_IN_CODES = new Set([530, 534, 535, 538]);
/** 500, 502 to 504, 555: the server does not know our command; 521: it accepts no mail (RFC 7504). */
const SERVER_CODES = new Set([500, 502, 503, 504, 521, 555]);
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
