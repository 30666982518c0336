import { Type, type Static, type TSchema } from 'typebox';

/**
 * As typed by a person, which the check reads with `typedEmail`. Store `normalizeEmail(…)`, look up by `emailKey(…)`.
 */
export function Email() {
  return Type.String({ format: 'email-address', maxLength: 320, description: 'An email address' });
}

/** An identifier: a UUID, version 7 if created by Gatehouse. The check converts it to lower case. */
export function Uuid() {
  return Type.String({ format: 'uuid' });
}

/**
 * A code from a mail, `XXXX-XXXX`; case, hyphens and spaces do not matter. Any text is accepted here, so that text that
 * cannot be a code gets the same answer as a wrong code. Read it with `typedCode`.
 */
export function Code(description = 'The code from the email, such as 7KQ2-M9XD') {
  return Type.String({ description, examples: ['7KQ2-M9XD'] });
}

/** A second factor: the six digits of an authenticator app, or a recovery code. Read it with `typedCode`. */
export function TwoFactorCode() {
  return Type.String({
    description: 'The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T',
    examples: ['492039'],
  });
}

/** A password as typed; `Passwords.check` has the rules for new ones. */
export function Password() {
  return Type.String({ maxLength: 4096 });
}

/** The address by which an account logs in. Any text is accepted: what is no address has no account. */
export function UserName() {
  return Type.String({
    format: 'user-name',
    minLength: 1,
    maxLength: 320,
    description: 'The email address of the account',
  });
}

/** A person's name as shown to others. The check reads it with `typedName`; it has at least one visible character. */
export function DisplayName() {
  return Type.String({
    format: 'display-name',
    minLength: 1,
    maxLength: 100,
    description: 'The name shown to others',
  });
}

/** A label of a group, such as `/staff` or `Domain Users`, compared exactly. Commas separate labels in lists. */
export function Group() {
  return Type.String({
    pattern: /^[^\p{C}\p{Z},]+(?: +[^\p{C}\p{Z},]+)*$/u.source,
    maxLength: 100,
    examples: ['editors'],
  });
}

/** How many groups an account has at most from one source, and an application names at most. */
export const GROUPS_MAX = 50;

/** The groups that one source gives an account, or those that an application is for. Store `distinctGroups(…)`. */
export function Groups(options: { description?: string } = {}) {
  return Type.Array(Group(), { maxItems: GROUPS_MAX, ...options });
}

/** The groups without repetitions, in the order in which they are stored. */
export function distinctGroups(groups: readonly string[]): string[] {
  return [...new Set(groups)].toSorted();
}

/** A language for mails, such as `en` or `de-AT` (RFC 5646). */
export function Locale(options: { description?: string } = {}) {
  const pattern = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.source;
  return Type.String({ pattern, maxLength: 35, ...options });
}

/** A line of text of 1 to `maxLength` UTF-16 units, without control characters or lone surrogates. */
export function Text(maxLength: number, options: { minLength?: number; description?: string } = {}) {
  return Type.String({ format: 'plain-text', minLength: 1, maxLength, ...options });
}

/** Text of several lines: like `Text`, with line breaks and tabs. */
export function Prose(maxLength: number, options: { description?: string } = {}) {
  return Type.String({ format: 'prose', maxLength, ...options });
}

/** A time, ISO 8601 in UTC. */
export function Timestamp() {
  return Type.String({ format: 'date-time', maxLength: 64 });
}

export const Optional = {
  String: (options?: Parameters<typeof Type.String>[0]) => Type.Optional(Type.String(options)),
  Boolean: (options?: Parameters<typeof Type.Boolean>[0]) => Type.Optional(Type.Boolean(options)),
  Integer: (options?: Parameters<typeof Type.Integer>[0]) => Type.Optional(Type.Integer(options)),
};

export function Nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  const { type, enum: values } = schema as { type?: unknown; enum?: readonly unknown[] }; // members of JSON Schema
  return Type.Unsafe<Static<T> | null>(
    typeof type === 'string'
      ? { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }), ...options }
      : { anyOf: [schema, Type.Null()], ...options },
  );
}

/** Whether the text is a plain UUID. ajv-formats also accepts `urn:uuid:` before it, but Postgres and Redis do not. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Whether text contains no control characters (C0, C1, line and paragraph separators) and no lone surrogate. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

export function isProse(text: string): boolean {
  return isPlainText(text.replace(/[\t\n\r]/g, ''));
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
