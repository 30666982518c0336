const REDACTED = '[redacted]';
const DEPTH_MAX = 5;

/** As the log may show it: without secrets, by name and shape, and with errors as objects. The value is not changed. */
export function redact(name: string, value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return SECRET_NAME.test(name) ? REDACTED : redactText(value);
    case 'bigint':
      return String(value);
    case 'object':
      if (value === null) return value;
      if (SECRET_NAME.test(name)) return REDACTED;
      return depth >= DEPTH_MAX ? '[deep]' : redactObject(name, value, depth + 1);
    default:
      return value;
  }
}

export function redactText(text: string): string {
  if (!HINT.test(text) && text.length < REFRESH_TOKEN_CHARACTERS) return text;
  return text.replace(SECRET_SHAPE, REDACTED);
}

function redactObject(name: string, value: object, depth: number): unknown {
  if (value instanceof Error) return redactFields(describe(value), depth);
  if (value instanceof Date) return value;
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redact(name, item, depth));
  return redactFields(value, depth);
}

function redactFields(fields: object, depth: number): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [name, redact(name, inner, depth)]),
  );
}

/** An error as an object, without its enumerable fields: database drivers put parameter values there. */
function describe(error: Error): object {
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { errno: code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(error instanceof AggregateError ? { errors: error.errors } : {}),
  };
}

const SECRET_NAME =
  /password|secret|token|code$|authorization|credential|cookie|pepper|(?:api|mail|private)[-_]?key|email/i;

const REFRESH_TOKEN_CHARACTERS = 86;

/** Matches every secret except a refresh token: a quick check that avoids the slow one for most texts. */
const HINT = /@|%40|eyJ|sat_|\$(?:2[aby]|gh|argon2|scrypt|pbkdf2)|[Bb]earer /;

/** Each part has a limited length or starts with a rare text, so that no input makes it slow. */
const SECRET_SHAPE = new RegExp(
  // oxlint-disable-next-line gatehouse/readable-expressions -- each part is read where it stands
  [
    /eyJ[\w-]{8,512}\.[\w-]+\.[\w-]+/, // a JWT
    /(?<=\b[Bb]earer )\S+/,
    /\bsat_[\w-]+/, // a static API token
    /(?<![\w-])[\w-]{86}(?![\w-])/, // a refresh token
    /\$2[aby]\$\d\d\$[./\w]{53}/, // a bcrypt hash
    /\$(?:gh|argon2i?d?|scrypt|pbkdf2(?:-\w{1,8})?)\$[\w$,=+./-]{20,1024}/, // any other, as we keep it or others do
    /(?<=:\/\/[^:/@\s]{0,256}:)[^@/\s]{1,256}(?=@)/, // a password in a URL
    email(),
  ]
    .map((shape) => shape.source)
    .join('|'),
  'g',
);

/** Looser than the grammar of an address, but does not match a package with its version (`express@5.3.0` in stacks). */
function email(): RegExp {
  const stop = String.raw`\s@%<>()[\]{}"',;:=/?&`;
  const domain = `[^${stop}\\d][^${stop}]{0,252}|[^${stop}]{1,252}\\.[^${stop}\\d.][^${stop}.]*`;
  // oxlint-disable-next-line gatehouse/readable-expressions -- bounded up to its last class, which excludes its neighbour's dot
  return new RegExp(`[^${stop}]{1,64}(?:@|%40)(?:${domain})`);
}
