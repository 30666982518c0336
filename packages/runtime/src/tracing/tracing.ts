/** What part a piece of work has in a trace (OpenTelemetry). */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** What is told of a piece of work: names, counts and codes, never who it was for. */
export type SpanFacts = Record<string, string | number | string[]>;

/** A piece of work in a trace that is recorded. */
export interface Span {
  /** For whoever goes on with the trace elsewhere (W3C Trace Context §3.2). */
  readonly traceparent: string;
  set(facts: SpanFacts): void;
  /** Ends it once; `fault` is a code, as messages of errors may name people. */
  end(fault?: string): void;
}

/** Traces of what a process does. Where nothing is recorded, each span is `undefined`. */
export interface Tracing {
  /** A request from elsewhere, whose trace has this id; decides whether the trace is recorded here. */
  request(asked: {
    traceId: string;
    traceparent: string | string[] | undefined;
    method: string;
    route: string;
  }): Span | undefined;
  /** Goes on with a trace that another process, or this one at another time, has recorded. */
  resume(name: string, kind: SpanKind, traceparent: string | undefined, facts?: SpanFacts): Span | undefined;
  /** A part of the work within which it is called. */
  part(name: string, kind: SpanKind, facts?: SpanFacts): Span | undefined;
  /** Does work whose parts are those of the span. */
  within<T>(span: Span, work: () => T): T;
  /** The same for what work does before it first waits. Up to Node 22 following it further slows down the whole process. */
  atFirst<T>(span: Span, work: () => T): T;
  /** The span within whose work it is called, until that ends. */
  current(): Span | undefined;
  /** Sends what is left, for 2 s at most. */
  close(): Promise<void>;
}

export const NO_TRACING: Tracing = {
  request: () => undefined,
  resume: () => undefined,
  part: () => undefined,
  within: (_span, work) => work(),
  atFirst: (_span, work) => work(),
  current: () => undefined,
  close: () => Promise.resolve(),
};

/** Does work within this span, which ends with it. Without a span it just does it. */
export function spanning<T>(tracing: Tracing, span: Span | undefined, work: (span?: Span) => Promise<T>) {
  return span === undefined ? work() : endingWith(tracing, span, work);
}

async function endingWith<T>(tracing: Tracing, span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await tracing.within(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(faultOf(error));
    throw error;
  }
}

/** What went wrong, as a code or the name of the error’s class. */
export function faultOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }; // whatever was thrown
  for (const word of [code, name]) if (typeof word === 'string' && /^\w{1,40}$/.test(word)) return word;
  return 'error';
}
