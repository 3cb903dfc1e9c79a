import { AsyncLocalStorage, type WorkflowExecuteInput, type WorkflowInterceptors } from '@temporalio/workflow'

/** As the interceptors of clients and activities name it. */
const HEADER = '_tracer-data'

type Headers = WorkflowExecuteInput['headers']

/**
 * Hands the trace of a command on to the activities of its step. It is part of the bundle only where traces are sent.
 *
 * The interceptors of Temporal's package would make spans of the workflow as well. Their ids are drawn from the random
 * numbers of the run, from which our operation ids come too: with tracing switched on, a replayed run would give other ids
 * to the steps that it has begun, and they would be begun once more. This draws nothing, waits for nothing, and adds no
 * command.
 */
export function interceptors(): WorkflowInterceptors {
  const carried = new AsyncLocalStorage<Headers>()
  const traceOf = ({ [HEADER]: trace }: Headers): Headers => (trace === undefined ? {} : { [HEADER]: trace })
  const withTrace = <Input extends { headers: Headers }>(input: Input): Input => {
    return { ...input, headers: { ...input.headers, ...carried.getStore() } }
  }
  return {
    inbound: [
      {
        execute: (input, next) => carried.run(traceOf(input.headers), () => next(input)),
        handleUpdate: (input, next) => carried.run(traceOf(input.headers), () => next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
      },
    ],
    internals: [
      {
        dispose(input, next) {
          carried.disable()
          next(input)
        },
      },
    ],
  }
}
