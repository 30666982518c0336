import { ConfigError, trustOf } from '@gatehouse/runtime';

/**
 * The encryption that `SMTP_URL` requests, as nodemailer's options. `smtps://` is TLS from the first byte; `smtp://`
 * starts unencrypted, and an attacker on the path can hide that the server offers STARTTLS. With a password or
 * `SMTP_CA`, STARTTLS is therefore required, unless the URL contains `requireTLS=false`.
 *
 * @throws {ConfigError} if the URL would turn off the verification of certificates.
 */
export function readSmtpUrl(smtpUrl: string, ca: string | undefined) {
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
