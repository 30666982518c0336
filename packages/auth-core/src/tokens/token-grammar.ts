import { isUtf8 } from 'node:buffer';

const LENGTH_MAX = 4096;
/** r and s of P-256, 32 bytes each (RFC 7518 §3.4): never DER. */
const SIGNATURE_BYTES = 64;

/**
 * The `kid` of a text that is spelled exactly like our access tokens; nothing is verified.
 *
 * The grammar allows one spelling only: three parts of canonical base64url, two of them JSON as `JSON.stringify`
 * writes it (no repeated member, no space, no unnecessary escape), the header exactly `alg`, `typ` and `kid`. So the
 * token never says how to verify it (`jwk`, `jku`, `x5u`, `crit`, …), and no two parsers can read it differently.
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
  if (bytes === undefined || !isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  try {
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
