/** Longer than any sensible value, and short enough to parse cheaply. */
const LENGTH_MAX = 100;

/** Whether a `Content-Type` is this type; if it has a charset, it must be UTF-8 (RFC 9110 §8.3). */
export function isMediaType(contentType: string | undefined, expected: string): boolean {
  if (contentType === undefined || contentType.length > LENGTH_MAX) return false;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return type === expected && parameters.every((parameter) => parameter === '' || isUtf8(parameter));
}

function isUtf8(parameter: string): boolean {
  const [name, value, ...more] = parameter.split('=').map((part) => part.trim());
  return name === 'charset' && (value === 'utf-8' || value === '"utf-8"') && more.length === 0;
}
