import { listen } from './listen.ts'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

interface Batch {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[]
}

/** A collector of OpenTelemetry, as far as it receives spans: OTLP over HTTP, in JSON. */
export interface TraceReceiver {
  url: string
  spans(): ReceivedSpan[]
  /** Everything that arrived, as it arrived. */
  text(): string
  stop(): Promise<void>
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const bodies: string[] = []
  const { url, close } = await listen(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.url === '/v1/traces') bodies.push(body)
    response.end('{}')
  })
  return {
    url,
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Batch).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    text: () => bodies.join('\n'),
    stop: close,
  }
}

/** The names from the root of a trace to the span of this name; null where no span of this name has that root. */
export function wayTo(spans: readonly ReceivedSpan[], name: string, root: string): string[] | null {
  for (const last of spans.filter((span) => span.name === name)) {
    const way = [last]
    for (let parent: ReceivedSpan | undefined = last; parent !== undefined; ) {
      const { traceId, parentSpanId }: ReceivedSpan = parent
      parent = spans.find((span) => span.traceId === traceId && span.spanId === parentSpanId)
      if (parent !== undefined) way.unshift(parent)
    }
    if (way[0]?.name === root) return way.map((span) => span.name)
  }
  return null
}
