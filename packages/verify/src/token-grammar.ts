const LENGTH_MAX = 4096;
/** r and s of P-256, 32 bytes each (RFC 7518 §3.4). */
const SIGNATURE_BYTES = 64;

/**
 * The `kid` of a text that is spelled exactly like Gatehouse's access tokens; nothing is verified. Only one spelling is
 * valid: canonical base64url, JSON as `JSON.stringify` writes it, a header of `alg`, `typ` and `kid`. So a token never
 * says how to verify it (`jwk`, `jku`, `crit`, …), and no two parsers can read it differently.
 */
export function readKid(token: string): string | undefined {
  if (token.length > LENGTH_MAX) return undefined;
  const [headerPart, payloadPart, signaturePart, ...more] = token.split('.');
  if (headerPart === undefined || payloadPart === undefined || signaturePart === undefined) return undefined;
  if (more.length > 0 || readBytes(signaturePart)?.length !== SIGNATURE_BYTES) return undefined;
  const header = readObject(headerPart);
  if (header === undefined || readObject(payloadPart) === undefined) return undefined;
  const { alg, typ, kid } = header;
  if (Object.keys(header).length !== 3 || alg !== 'ES256' || typ !== 'at+jwt') return undefined;
  return typeof kid === 'string' ? kid : undefined;
}

function readObject(part: string): Record<string, unknown> | undefined {
  const bytes = readBytes(part);
  if (bytes === undefined) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    // A non-null object that is not an array has string keys.
    return JSON.stringify(value) === text ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Node also decodes padding, the other alphabet and surplus bits: only canonical base64url is accepted. */
function readBytes(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}
