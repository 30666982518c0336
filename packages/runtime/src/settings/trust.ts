import { X509Certificate } from 'node:crypto';
import { Optional } from '@gatehouse/schema';
import { ConfigError } from './config.ts';

/** How a dependency’s certificate is verified, as options of node:tls. */
export interface Trust {
  rejectUnauthorized: true;
  minVersion: 'TLSv1.2';
  ca?: string;
}

/** The setting for the certificate authorities of a dependency: `DATABASE_CA`, `REDIS_CA` and so on. */
export function authoritySetting(dependency: string) {
  return Optional.String({
    description: `PEM of the authorities that may sign the certificate of ${dependency}`,
  });
}

/**
 * How to verify the certificate of the dependency at `<name>_URL`; `undefined` without TLS. The certificate must be
 * valid for the host of the URL and issued by an authority in `<name>_CA` or, if that is not set, by an authority that
 * Node trusts. All options are explicit, as NODE_TLS_REJECT_UNAUTHORIZED would change the default.
 *
 * @throws {ConfigError} if `ca` contains no certificate, or is set without TLS.
 */
export function trustOf(options: {
  name: string;
  isTls: boolean;
  ca: string | undefined;
}): Trust | undefined {
  const { name, isTls, ca } = options;
  if (ca !== undefined && !isTls)
    throw new ConfigError(`${name}_CA is set, but ${name}_URL does not ask for TLS`);
  if (ca !== undefined) requireCertificates(name, ca);
  if (!isTls) return undefined;
  return { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Node silently ignores certificates that it cannot parse, and would then trust none. */
function requireCertificates(name: string, pem: string): void {
  try {
    const found = pem.match(CERTIFICATE) ?? [];
    for (const one of found) void new X509Certificate(one);
    if (found.length > 0) return;
  } catch {
    // Reported below.
  }
  throw new ConfigError(`${name}_CA must hold certificates as PEM`);
}
