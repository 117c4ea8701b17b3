/** What a span may say of its work: never text of a question or a record, unless `Spans.content` is true. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface SpanOptions {
  readonly attributes?: SpanAttributes;
  /** "client": the work is done by another server. */
  readonly kind?: "internal" | "client";
  /** W3C trace context of a caller outside; it is the parent where no span of ours is. */
  readonly traceparent?: string | undefined;
}

export interface OpenSpan {
  /** Adds what is known only later. */
  set(attributes: SpanAttributes): void;
}

/** Times steps of work for a trace. A span is a child of the one that its work runs in; it ends with its work and tells how it ended. */
export interface Spans {
  /** Whether texts (questions, answers, arguments) may be written into attributes. */
  readonly content: boolean;
  during<Result>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<Result>): Promise<Result>;
  /** The same for work that yields what happens. */
  steps<Event, Result>(
    name: string,
    options: SpanOptions,
    work: (span: OpenSpan) => AsyncGenerator<Event, Result>,
  ): AsyncGenerator<Event, Result>;
}

const unseen: OpenSpan = { set() {} };

/** No tracing: the work runs as it is. */
export const noSpans: Spans = {
  content: false,
  during: (_name, _options, work) => work(unseen),
  steps: (_name, _options, work) => work(unseen),
};
