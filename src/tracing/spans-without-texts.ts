import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'

/** Everything that a span may say: ids, routes and statuses. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'holdfast.request_id',
  'holdfast.invoice_id',
  // Those of the interceptors of Temporal's package. A workflow is named after its invoice or event.
  'temporalWorkflowId',
  'run_id',
  'temporalActivityId',
  'temporalUpdateId',
])

/**
 * The same exporter for spans without the texts that the libraries add: messages of errors may repeat what a merchant has
 * sent, and a trace leaves the service.
 */
export function withoutTexts(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(bare), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

function bare(span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => ATTRIBUTES.has(name)),
  )
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  })
}
