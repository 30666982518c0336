import { v7 as uuid } from 'uuid';
import { jsonIn } from '@gatehouse/runtime';
import { compile, Text, Timestamp, Type, Uuid, type Check, type TSchema } from '@gatehouse/schema';
import { contracts, isEventType } from './contracts.ts';
import type { EventData, EventType, MailingType, MailKindOf } from './contracts.ts';
import type { MailContentOf } from './mail-content.ts';
import type { Seal } from './seal.ts';

/** An event as sent: CloudEvents 1.0 in structured JSON, with the trace of its cause as an extension. */
export interface GatehouseEvent<T extends EventType = EventType> {
  specversion: '1.0';
  /** UUID version 7; a repeat of the same event has the same id. */
  id: string;
  source: '/gatehouse';
  type: T;
  time: string;
  datacontenttype: 'application/json';
  traceid?: string;
  /** The span that wrote it, if it is recorded (CloudEvents, Distributed Tracing; W3C Trace Context §3.2). */
  traceparent?: string;
  data: EventData<T>;
}

export type AnyEvent = { [T in EventType]: GatehouseEvent<T> }[EventType];

interface Origin {
  /** The trace of the request that caused it, which its mail has too. */
  traceId?: string | undefined;
  at?: Date | undefined;
}

/** Creates an event about something that happens now, or happened `at`. */
export function newEvent<T extends EventType>(
  type: T,
  data: NoInfer<EventData<T>>,
  origin: Origin & { id?: string } = {},
): GatehouseEvent<T> {
  return {
    specversion: '1.0',
    id: origin.id ?? uuid(),
    source: '/gatehouse',
    type,
    time: (origin.at ?? new Date()).toISOString(),
    datacontenttype: 'application/json',
    ...(origin.traceId !== undefined && { traceid: origin.traceId }),
    data,
  };
}

/** Creates an event that sends a mail. `content` is sealed into it as `data.Mail`, bound to the event's id. */
export function newMailEvent<T extends MailingType>(
  seal: Seal,
  type: T,
  data: Omit<NoInfer<EventData<T>>, 'Mail'>,
  content: NoInfer<MailContentOf<MailKindOf<T>>>,
  origin: Origin & { id?: string } = {},
): GatehouseEvent<T> {
  const id = origin.id ?? uuid();
  const Mail = seal.seal(id, content);
  // `Mail` completes the data, which the compiler cannot verify for a generic type.
  return newEvent<T>(type, { ...data, Mail } as unknown as EventData<T>, { ...origin, id });
}

/** Whether an event sends a mail: it stays in the outbox until the mail worker has recorded it. */
export function carriesMail({ data }: AnyEvent): boolean {
  return 'Mail' in data && data.Mail !== undefined;
}

export function eventFacts({ id, type, traceid }: AnyEvent): Record<string, unknown> {
  return { eventId: id, type, traceId: traceid };
}

const BYTES_MAX = 65_536;

/** Parses an event from a queue; a string says why it is not a valid one. */
export type ReadEvent = (content: Buffer) => AnyEvent | string;

/** Unknown fields are dropped, so that a contract can be extended; everything else must match it. */
export function createEventReader(): ReadEvent {
  const checks = new Map<EventType, Check>();
  const checkOf = (type: EventType): Check => {
    const known = checks.get(type) ?? compile(schemaOf(type), { unknownFields: 'drop' });
    checks.set(type, known);
    return known;
  };
  return (content) => {
    if (content.length > BYTES_MAX) return 'larger than the maximum size of an event';
    const value = jsonIn(content.toString('utf8'));
    if (value === undefined) return 'not JSON';
    const { specversion, type } = (value ?? {}) as { specversion?: unknown; type?: unknown };
    if (specversion !== '1.0') return 'not a CloudEvent 1.0';
    if (typeof type !== 'string' || !isEventType(type)) return 'unknown event type';
    const problems = checkOf(type)(value);
    if (problems !== undefined) return problems.map((one) => `${one.pointer} ${one.message}`).join('; ');
    const event = value as AnyEvent; // just checked against the schema of its type
    return readMoment(event.time) === 'none' ? '/time must be an RFC 3339 date and time' : event;
  };
}

export function schemaOf(type: EventType) {
  return Type.Object({
    specversion: Type.Literal('1.0'),
    id: Uuid(),
    source: Type.Literal('/gatehouse'),
    type: Type.Literal(type),
    time: Timestamp(),
    datacontenttype: Type.Literal('application/json'),
    traceid: Type.Optional(Text(128)),
    traceparent: Type.Optional(Text(128)),
    data: contracts[type].data,
  });
}

/** `none`: no such time, as a leap second, or a year in UTC without four digits, which could not be formatted again. */
export function readMoment(text: string | null | undefined): Date | null | 'none' {
  if (text === undefined || text === null) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return 'none';
  return /^[0-9]{4}-/.test(date.toISOString()) ? date : 'none';
}

/** For consumers: without the sealed part, and with patterns for formats, so that every validator supports it. */
export function publishedSchemaOf(type: EventType): object {
  const schema = schemaOf(type);
  return plain({
    ...schema,
    properties: { ...schema.properties, data: withoutMail(schema.properties.data) },
  });
}

function withoutMail(data: TSchema): object {
  const { properties, required = [], ...rest } = data as unknown as Plain & { required?: string[] }; // an object's
  return {
    ...rest,
    required: required.filter((name) => name !== 'Mail'),
    properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => name !== 'Mail')),
  };
}

interface Plain {
  format?: string;
  properties?: Record<string, object>;
  items?: object;
}

function plain(schema: object): object {
  const { format, properties, items, ...rest } = schema as Plain; // as any schema may have them
  return {
    ...rest,
    ...(format !== undefined && { pattern: PATTERNS[format] ?? unknown(format) }),
    ...(items && { items: plain(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, plain(inner)])),
    }),
  };
}

const PATTERNS: Partial<Record<string, string>> = {
  uuid: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
  'date-time': '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$',
  'plain-text': '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
};

function unknown(format: string): never {
  throw new Error(`a published schema has no pattern for the format ${format}`);
}
