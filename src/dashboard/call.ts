import type { Router } from '@koa/router'
import type { z } from 'zod'
import type { ApiContext, ApiMiddleware, ApiState } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { defineInput, readInput } from '../http/input/input.ts'
import { refuseUnknownParameters } from '../http/input/query.ts'
import { body, bodyOf } from '../http/middleware/body.ts'
import { neverCompressed } from '../http/middleware/compression.ts'
import { fewAtOnce } from '../http/middleware/few-at-once.ts'
import { limitAddress } from '../http/middleware/limit-address.ts'
import { halfSignedIn, member, signedIn, stillAdmitted } from '../http/people/authenticate-person.ts'
import { logsOnly } from '../http/request-log/logs-only.ts'
import type { MayOfRole } from '../http/route-access.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { knownBrowsers } from './known-browser.ts'
import type { Passwords } from './passwords.ts'

export interface CallDeps extends AppDeps {
  passwords: Passwords
}

/** One request for a call. */
export interface CallRequest<Input = unknown> {
  ctx: ApiContext
  deps: CallDeps
  em: EntityManager
  /** `id` in the address. */
  id: string
  /**
   * The fields of the body.
   *
   * @throws ApiError with all problems of the body.
   */
  read(): Input
  /**
   * Makes a change in one database transaction, in which session and role of the person stay as they are: see
   * `stillAdmitted`.
   */
  change<Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result>
}

interface Declaration<Fields extends z.ZodRawShape, Answer extends z.ZodRawShape> {
  /** Without a session; with the password alone; with a whole session; or, for calls about a project, those of a role. */
  who: 'anyone' | 'half signed in' | 'signed in' | MayOfRole
  /** The fields of the body; a call without takes none. */
  reads?: Fields
  answers: z.ZodObject<Answer>
  /** The only fields of the body that the request log of the project keeps. */
  logs?: readonly string[]
  /** The answer shows a secret. */
  isSecret?: true
  /** The call reads query parameters; all others refuse them, since to ignore one would be to answer another question. */
  hasQuery?: true
  /** A person makes one such call at a time; the sentence for one more. */
  oneAtOnce?: string
  run(request: CallRequest<z.output<z.ZodObject<Fields>>>): Promise<Omit<z.output<z.ZodObject<Answer>>, 'success'>>
}

/** A call of the dashboard, to be added to its router. */
export type Call = (router: Router<ApiState>, deps: CallDeps) => void

/** Makes a call of its declaration, the only place that says who may make it, what it reads, and what it answers. */
export function call<Fields extends z.ZodRawShape, Answer extends z.ZodRawShape>(
  place: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`,
  { who, reads, logs, isSecret, hasQuery, oneAtOnce, run }: Declaration<Fields, Answer>,
): Call {
  const [method = '', path = ''] = place.split(' ')
  const definition = defineInput(() => reads ?? ({} as Fields))
  const guards: Record<string, (deps: CallDeps) => ApiMiddleware> = {
    anyone: (deps) => limitAddress(deps, knownBrowsers(deps)),
    'half signed in': halfSignedIn,
    'signed in': signedIn,
  }
  return (router, deps) => {
    const answer: ApiMiddleware = async (ctx) => {
      const em = deps.orm.em.fork()
      const result = await run({
        ...{ ctx, deps, em, id: ctx.params.id ?? '' },
        read: () => readInput(definition, bodyOf(ctx)),
        change: (work) =>
          em.transactional(async (transaction) => {
            await stillAdmitted(ctx, transaction)
            return work(transaction)
          }),
      })
      if (isSecret) neverCompressed(ctx)
      ctx.body = { success: true, ...result }
    }
    router.register(path, [method], [
      ...(logs === undefined ? [] : [logsOnly(logs)]),
      typeof who === 'string' ? guards[who]?.(deps) : member(deps, who),
      ...(hasQuery ? [] : [noQuery]),
      ...(oneAtOnce === undefined ? [] : [fewAtOnce(1, oneAtOnce)]),
      ...(reads === undefined ? [] : [body()]),
      answer,
    ] as ApiMiddleware[])
  }
}

const refuseUnknown = refuseUnknownParameters()

const noQuery: ApiMiddleware = (ctx, next) => {
  refuseUnknown(ctx)
  return next()
}
