import type { HookError } from '@gatehouse/db';

/** Why no answer came. */
export type CallFault = Extract<
  HookError,
  'address_not_allowed' | 'name_not_found' | 'certificate_invalid' | 'timeout' | 'connection_failed'
>;

/** The word for an error of the look-up, TLS or HTTP. Its message is not kept: it may quote the receiver. */
export function faultWord(error: unknown): CallFault {
  const { code = '' } = error as { code?: string }; // an error of Node
  if (code === 'ENOTFOUND') return 'name_not_found';
  if (code === 'ETIMEDOUT') return 'timeout';
  return CERTIFICATE.test(code) ? 'certificate_invalid' : 'connection_failed';
}

/** The codes of OpenSSL for certificates, and Node's for a wrong name or protocol. */
const CERTIFICATE =
  /^(ERR_TLS|ERR_SSL|EPROTO$|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH|ERROR_IN_CERT)/;
