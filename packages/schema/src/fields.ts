import { Type, type Static, type TSchema } from 'typebox';

/** An email address as a person types it; handlers store `normalizeEmail(…)` and look up by `emailKey(…)`. */
export function Email() {
  return Type.String({ format: 'email-address', maxLength: 320, description: 'An email address' });
}

/** An identifier: a UUID, version 7 where Gatehouse made it. What the check lets through is in lower case. */
export function Uuid() {
  return Type.String({ format: 'uuid' });
}

/**
 * A code from a mail, `XXXX-XXXX`; case, hyphens and spaces do not matter. Any text is let through: what is not the code
 * gets the one answer that a wrong code gets. Read it with `typedCode`.
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

/** What was typed as a code; empty, which fits nothing, for what no one can have typed. */
export function typedCode(text: string): string {
  return text.length <= 64 ? text : '';
}

/** A password as it is typed; what is asked of a new one is for `Passwords.check` to say. */
export function Password() {
  return Type.String({ maxLength: 4096, writeOnly: true });
}

/** A person's name as others see it. */
export function DisplayName() {
  return Text(100, { description: 'The name shown to others' });
}

/** A language for mails, such as `en` or `de-AT` (RFC 5646). */
export function Locale() {
  return Type.String({ pattern: /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.source, maxLength: 35 });
}

/** A line of text of 1 to `maxLength` UTF-16 units, without control characters or lone surrogates. */
export function Text(maxLength: number, options: { minLength?: number; description?: string } = {}) {
  return Type.String({ format: 'plain-text', minLength: 1, maxLength, ...options });
}

/** Text of several lines: as `Text`, with line breaks and tabs. */
export function Prose(maxLength: number, options: { description?: string } = {}) {
  return Type.String({ format: 'prose', maxLength, ...options });
}

/** A moment, ISO 8601 in UTC. */
export function Timestamp() {
  return Type.String({ format: 'date-time', maxLength: 64 });
}

/** The same, or null. */
export function Nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  const { type, enum: values } = schema as { type?: unknown; enum?: readonly unknown[] }; // of JSON Schema
  return Type.Unsafe<Static<T> | null>(
    typeof type === 'string'
      ? { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }), ...options }
      : { anyOf: [schema, Type.Null()], ...options },
  );
}

/** The bare identifier. What ajv-formats lets through with `urn:uuid:` before it, neither Postgres nor Redis takes. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Whether text holds no control characters (C0, C1, line and paragraph separators) and no lone surrogate. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

/** The same, but for line breaks and tabs. */
export function isProse(text: string): boolean {
  return isPlainText(text.replace(/[\t\n\r]/g, ''));
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
