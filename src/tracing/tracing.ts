import { hostname } from 'node:os'
import { context, propagation, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { Resource } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { WorkflowClientInterceptor } from '@temporalio/client'
import {
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry'
import type { WorkerInterceptors } from '@temporalio/worker'
import type { Middleware } from 'koa'
import type { ApiState } from '../http/context.ts'
import { withoutTexts } from './spans-without-texts.ts'

/** A receiver that does not answer must not keep a process from stopping. */
const SEND_TIMEOUT_MS = 5_000

/** What makes the spans of a process. */
export interface Tracing {
  requests: Middleware<ApiState>
  client: WorkflowClientInterceptor
  activities: NonNullable<WorkerInterceptors['activity']>
  /** Sends what has not been sent. */
  flush(): Promise<void>
  /** The same, for good; spans that nobody takes are dropped. */
  stop(): Promise<void>
}

/**
 * Sends a trace of each request to a receiver of OpenTelemetry: the request, the start or update of a workflow, and the
 * activities of its step. At most one of them may exist in a process.
 *
 * @param endpoint as `OTEL_EXPORTER_OTLP_ENDPOINT` has it: the address before `/v1/traces`.
 */
export function createTracing(endpoint: string): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_TIMEOUT_MS })
  const provider = new BasicTracerProvider({
    resource: new Resource({ 'service.name': 'holdfast', 'service.instance.id': `${hostname()}:${process.pid}` }),
    spanProcessors: [new BatchSpanProcessor(withoutTexts(exporter), { exportTimeoutMillis: SEND_TIMEOUT_MS })],
  })
  provider.register({
    contextManager: new AsyncLocalStorageContextManager(),
    propagator: new W3CTraceContextPropagator(),
  })
  return {
    requests: traceRequests(provider.getTracer('holdfast')),
    client: new OpenTelemetryWorkflowClientInterceptor(),
    activities: [(ctx) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(ctx) })],
    flush: () => provider.forceFlush(),
    async stop() {
      // That a receiver is away does not make a stop unclean.
      await provider.shutdown().catch(() => undefined)
      for (const global of [trace, context, propagation]) global.disable()
    },
  }
}

/** What callers send as `traceparent` is ignored: it would let anybody write into the traces of others. */
function traceRequests(tracer: Tracer): Middleware<ApiState> {
  return (ctx, next) => {
    if (ctx.path.startsWith('/health/')) return next()
    return tracer.startActiveSpan(ctx.method, { kind: SpanKind.SERVER }, async (span) => {
      try {
        await next()
      } finally {
        const route = String(ctx._matchedRoute ?? 'none')
        const { requestId, invoiceId } = ctx.state
        span.updateName(`${ctx.method} ${route}`)
        span.setAttributes({
          'http.request.method': ctx.method,
          'http.route': route,
          'http.response.status_code': ctx.status,
          'holdfast.request_id': requestId,
          ...(invoiceId !== undefined && { 'holdfast.invoice_id': invoiceId }),
        })
        if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      }
    })
  }
}
