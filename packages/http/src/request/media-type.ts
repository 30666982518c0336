/** Longer than any sensible spelling, and short enough to read cheaply. */
const LENGTH_MAX = 100;

/** Whether a `Content-Type` names this type, in UTF-8 where it names an encoding (RFC 9110 §8.3). */
export function isMediaType(contentType: string | undefined, expected: string): boolean {
  if (contentType === undefined || contentType.length > LENGTH_MAX) return false;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return type === expected && parameters.every((parameter) => parameter === '' || isUtf8(parameter));
}

function isUtf8(parameter: string): boolean {
  const [name, value, ...more] = parameter.split('=').map((part) => part.trim());
  return name === 'charset' && (value === 'utf-8' || value === '"utf-8"') && more.length === 0;
}
