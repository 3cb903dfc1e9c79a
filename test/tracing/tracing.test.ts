import { beforeAll, describe, expect, test } from '@jest/globals'
import { SpanStatusCode } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts'
import { withoutTexts } from '../../src/tracing/spans-without-texts.ts'
import { readRecordings } from '../replay/recordings.ts'
import { TEST_CARD } from '../support/card-data.ts'
import { runningForFile } from '../support/for-file.ts'
import { replayHistories } from '../support/replay.ts'
import { makeStack } from '../support/stack.ts'
import { quietRuntime } from '../support/temporal.ts'
import { startTraceReceiver, wayTo } from '../support/trace-receiver.ts'
import { waitFor } from '../support/wait-for.ts'

// Of API and worker as processes apart: test/journeys/apart.test.ts.
describe('a trace', () => {
  const receiver = runningForFile(startTraceReceiver)
  // With the histories: what was written with tracing replays without it.
  const stack = runningForFile(() => makeStack({ mode: 'together', tracesTo: receiver.url }))
  let invoiceId: string

  beforeAll(async () => {
    const card = await stack.post('/cards', {
      number: TEST_CARD.number,
      exp_month: 12,
      exp_year: 2040,
      cvc2: TEST_CARD.cvc,
      name: 'Ada Lovelace',
    })
    const invoice = await stack.post('/invoices', { name: 'Order for Ada', amount: '29.00', currency: 'EUR' })
    invoiceId = invoice.body.invoice.id
    const { status } = await stack.post(`/invoices/${invoiceId}/authorize`, { source: card.body.card.id })
    expect(status).toBe(200)
    expect((await stack.post(`/invoices/${invoiceId}/capture`, {})).status).toBe(200)
  })

  /** The names from the root to the span of this name in a trace, once it has arrived. */
  async function arrived(name: string, root: string): Promise<string[]> {
    return waitFor(async () => {
      await stack.core.tracing?.flush()
      return wayTo(receiver.spans(), name, root)
    })
  }

  test('goes from the request over the workflow into the activity', async () => {
    const root = 'POST /invoices/:id/authorize'
    const start = 'StartWorkflow:paymentWorkflow'
    expect(await arrived('RunActivity:authorize', root)).toEqual([root, start, 'RunActivity:authorize'])
  })

  test('goes from a later request into the activity of its own step', async () => {
    const root = 'POST /invoices/:id/capture'
    const way = await arrived('RunActivity:capture', root)
    expect([way[0], way.at(-1), way.length]).toEqual([root, 'RunActivity:capture', 3])
  })

  test('names the payment, and nothing of the card or the customer', async () => {
    await arrived('RunActivity:capture', 'POST /invoices/:id/capture')
    const values = receiver.spans().flatMap(({ attributes }) => attributes.map(({ value }) => value.stringValue))
    expect(values).toContain(`payment-${invoiceId}`)
    const text = receiver.text()
    for (const personal of [TEST_CARD.number, 'Ada', '29.00', stack.project.secretKey])
      expect(text).not.toContain(personal)
  })

  test('begins with the request, whatever the caller calls it', async () => {
    const traceId = 'ab'.repeat(16)
    await fetch(`${stack.baseUrl}/error-codes`, { headers: { traceparent: `00-${traceId}-${'cd'.repeat(8)}-01` } })
    await arrived('GET /error-codes', 'GET /error-codes')
    expect(receiver.spans().map((span) => span.traceId)).not.toContain(traceId)
  })
})

test('a span has the ids that it may have, and no text of an error or of a library', () => {
  const kept = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(withoutTexts(kept))] })
  const span = provider.getTracer('test').startSpan('RunActivity:authorize')
  span.setAttributes({ temporalWorkflowId: 'payment-iv_1', searchAttributes: 'Ada Lovelace' })
  span.recordException(new Error(`Ada Lovelace, ${TEST_CARD.number}`))
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'Ada Lovelace' })
  span.end()
  expect(kept.getFinishedSpans()).toHaveLength(1)
  const [{ name, attributes, events, status }] = kept.getFinishedSpans() as [ReadableSpan]
  expect({ name, attributes, events, status }).toEqual({
    name: 'RunActivity:authorize',
    attributes: { temporalWorkflowId: 'payment-iv_1' },
    events: [],
    status: { code: SpanStatusCode.ERROR },
  })
})

describe('workflows that hand traces on', () => {
  test('replay what was written without traces', async () => {
    quietRuntime()
    const given = readRecordings().map(({ version, name, history }) => ({ workflowId: `${version} ${name}`, history }))
    const replayed = await replayHistories(await bundleWorkflows({ traces: true }), given)
    expect(replayed).toHaveLength(given.length)
    expect(replayed.filter(({ error }) => error !== undefined)).toEqual([])
  })

  test('draw no random numbers for spans: the ids of our operations come from the same', async () => {
    const { code } = await bundleWorkflows({ traces: true })
    expect(code).toContain('_tracer-data')
    expect(code).not.toContain('@opentelemetry')
    expect((await bundleWorkflows()).code).not.toContain('_tracer-data')
  })
})
