import { Type, type TProperties, type TSchema } from '@gatehouse/schema';

const MEDIA_TYPE = Symbol('media type');

/** What a schema has whose values are not sent as JSON. */
export type SentAs<M extends string> = { readonly [MEDIA_TYPE]: M };

export const FORM = 'application/x-www-form-urlencoded';
export const NDJSON = 'application/x-ndjson';
export const EVENT_STREAM = 'text/event-stream';

/** A body with the fields of a form, as other protocols require; unknown ones are dropped. */
export function form<P extends TProperties>(fields: P) {
  return sentAs(FORM, Type.Object(fields));
}

/** A JSON object on each line, any number, in order. Each line that is read starts the response's time limit again. */
export function ndjson<S extends TSchema>(line: S) {
  return sentAs(NDJSON, line);
}

export function textAs<M extends string>(mediaType: M) {
  return sentAs(mediaType, Type.String());
}

export function bytesAs<M extends string>(mediaType: M) {
  return sentAs(mediaType, Type.Unsafe<Uint8Array>({}));
}

/** Server-sent events: the handler returns a `StreamWriter`. No time limit; the number of open ones has one (429). */
export function eventStream() {
  return textAs(EVENT_STREAM);
}

function sentAs<M extends string, S extends TSchema>(mediaType: M, schema: S): S & SentAs<M> {
  return { ...schema, [MEDIA_TYPE]: mediaType };
}

/** The media type of a schema whose values are not sent as JSON. */
export function mediaTypeOf(schema: (TSchema & Partial<SentAs<string>>) | undefined): string | undefined {
  return schema?.[MEDIA_TYPE];
}

export function textTypeOf(response: TSchema | undefined): string {
  return mediaTypeOf(response) ?? 'text/plain; charset=utf-8';
}

/** Longer than any sensible value, and short enough to parse cheaply. */
const LENGTH_MAX = 100;

/**
 * Whether a `Content-Type` is this type; if it has a charset, it must be UTF-8 (RFC 9110 §8.3), which some clients call
 * `utf8`, or its part US-ASCII. Other parameters, such as `odata=verbose`, mean nothing here.
 */
export function isMediaType(contentType: string | undefined, expected: string): boolean {
  if (contentType === undefined || contentType.length > LENGTH_MAX) return false;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === expected &&
    parameters.every((parameter) => !parameter.startsWith('charset') || isUtf8(parameter))
  );
}

function isUtf8(parameter: string): boolean {
  const [name, value, ...more] = parameter.split('=').map((part) => part.trim());
  return name === 'charset' && /^("?)(?:utf-?8|us-ascii)\1$/.test(value ?? '') && more.length === 0;
}
