import { ApplicationFailure } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'

/** Every activity is told whose payment, invoice or event it is about, either itself or as its `payment`. */
type ActivityInput = { environment?: unknown; payment?: { environment?: unknown } } | null | undefined

/**
 * For a worker of one environment: refuses every activity that is about the other one, or about neither, before it begins.
 * Who may write to one namespace of Temporal can thus reach no payment of the other.
 */
export function onlyOf(environment: Environment): ActivityInterceptorsFactory {
  return () => ({
    inbound: {
      async execute(input, next) {
        const asked = environmentOf(input.args)
        if (asked === environment) return next(input)
        throw ApplicationFailure.nonRetryable(
          `This is the namespace of ${environment}; nothing of ${asked ?? 'no environment'} is done here.`,
          'other-environment',
        )
      },
    },
  })
}

function environmentOf([input]: readonly unknown[]): Environment | undefined {
  const given = input as ActivityInput
  const asked = (given?.payment ?? given)?.environment
  return ENVIRONMENTS.find((environment) => environment === asked)
}
