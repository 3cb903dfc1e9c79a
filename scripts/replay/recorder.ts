import {
  proxySinks,
  type Sinks,
  type WorkflowInterceptorsFactory,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow'

/** What the code of a workflow asks Temporal for, in the order in which it does. */
export type Asked =
  | { kind: 'activity'; seq: number; name: string; isLocal: boolean }
  | { kind: 'timer'; seq: number; milliseconds: number }
  | { kind: 'end'; how: string }

export interface RecorderSinks extends Sinks {
  recorder: { asked(asked: Asked): void }
}

/** Bundled with the workflows for a second replay that explains why the first one failed. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { recorder } = proxySinks<RecorderSinks>()
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity(input, next) {
      recorder.asked({ kind: 'activity', seq: input.seq, name: input.activityType, isLocal: false })
      return next(input)
    },
    scheduleLocalActivity(input, next) {
      recorder.asked({ kind: 'activity', seq: input.seq, name: input.activityType, isLocal: true })
      return next(input)
    },
    startTimer(input, next) {
      recorder.asked({ kind: 'timer', seq: input.seq, milliseconds: input.durationMs })
      return next(input)
    },
    continueAsNew(input, next) {
      recorder.asked({ kind: 'end', how: 'continues as a new run' })
      return next(input)
    },
  }
  return {
    outbound: [outbound],
    inbound: [
      {
        async execute(input, next) {
          const result = await next(input)
          recorder.asked({ kind: 'end', how: 'completes' })
          return result
        },
      },
    ],
  }
}
