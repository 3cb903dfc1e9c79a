import type { ApiMiddleware } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'

/** A server that takes longer than this to say that it is there counts as absent; balancers commonly wait 5 s. */
const READY_WAIT_MS = 2_000

/** The process answers. */
export function live(): ApiMiddleware {
  return (ctx) => {
    ctx.body = { success: true }
  }
}

/**
 * The process can do its work: database and Temporal answer too. Anybody may ask, and no limit counts it, so all who ask
 * at once share one look: however many they are, they take one connection from the payments.
 */
export function ready({ isReady }: Pick<AppDeps, 'isReady'>): ApiMiddleware {
  let looking: ReturnType<AppDeps['isReady']> | undefined
  const look = () => {
    looking ??= inTime(isReady()).finally(() => {
      looking = undefined
    })
    return looking
  }
  return async (ctx) => {
    const servers = await look()
    const isComplete = servers.database && servers.temporal
    ctx.status = isComplete ? 200 : 503
    ctx.body = { success: isComplete, ...servers }
  }
}

async function inTime(asked: ReturnType<AppDeps['isReady']>): ReturnType<AppDeps['isReady']> {
  const absent = { database: false, temporal: false }
  const { promise: outOfTime, resolve } = Promise.withResolvers<typeof absent>()
  const timeout = setTimeout(() => resolve(absent), READY_WAIT_MS)
  try {
    return await Promise.race([asked.catch(() => absent), outOfTime])
  } finally {
    clearTimeout(timeout)
  }
}
