import { createHash, timingSafeEqual } from 'node:crypto'
import cors from '@koa/cors'
import type { Payload } from '@temporalio/common'
import Koa, { type Context } from 'koa'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { CodecRole } from '../config.ts'
import type { Logger } from '../logger.ts'
import { decryptPayload, isUnreadable, workflowIdOf } from '../temporal/payload-codec.ts'
import type { Keys } from '../vault/keys.ts'
import { readBody } from './read-body.ts'
import { redactPayload } from './redaction.ts'
import { createWrongTokens } from './wrong-tokens.ts'

export interface CodecAppDeps {
  keys: Pick<Keys, 'payload'>
  tokens: Readonly<Record<CodecRole, string | undefined>>
  /** Whose pages may ask. */
  uiOrigins: readonly string[]
  clock: Clock
  logger: Logger
}

/** How browsers get the token from their user, and keep it for this address. */
const CHALLENGE = 'Basic realm="Holdfast payloads", charset="UTF-8"'

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)
/** A payload in the JSON form of its protocol buffer. A field without content may be absent. */
const decodeRequest = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), base64).default({}), data: base64.default('') }))
    .default([]),
})
type JsonPayload = z.infer<typeof decodeRequest>['payloads'][number]

/**
 * Temporal's protocol of codec servers: `POST /decode` gives the payloads of a history back in clear, all of them for
 * developers, without personal data and secrets for support. It needs no `/encode`: nobody sends a payment anything by the UI.
 */
export function createCodecApp({ keys, tokens, uiOrigins, clock, logger }: CodecAppDeps): Koa {
  const app = new Koa()
  const wrongTokens = createWrongTokens(clock)
  app.on('error', (error: Error) => logger.error({ err: error }, 'a request failed'))
  app.use(
    cors({
      origin: (ctx) => (uiOrigins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
      allowMethods: ['POST'],
      credentials: true,
    }),
  )
  app.use(async (ctx) => {
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    if (wrongTokens.areTooMany(ctx.ip)) {
      ctx.set('Retry-After', '60')
      return refuse(ctx, 429, 'Too many wrong tokens came from this address: wait a minute.')
    }
    const role = roleOf(ctx, tokens)
    if (role === null) {
      // A browser asks without a token first.
      if (ctx.get('Authorization') !== '') wrongTokens.count(ctx.ip)
      ctx.set('WWW-Authenticate', CHALLENGE)
      return refuse(ctx, 401, 'Give the token of your role, as the password of HTTP Basic or as a Bearer token.')
    }
    // Opened in a browser once, it has the browser ask for the token, which it then sends for the UI as well.
    if (ctx.method === 'GET' && ctx.path === '/') ctx.body = `You are signed in, with the role ${role}.`
    else if (ctx.method === 'POST' && ctx.path === '/decode') await decode(ctx, role, { keys, logger })
    else refuse(ctx, 404, 'There is POST /decode.')
  })
  return app
}

async function decode(ctx: Context, role: CodecRole, { keys, logger }: Pick<CodecAppDeps, 'keys' | 'logger'>) {
  const request = decodeRequest.safeParse(await readBody(ctx.req))
  if (!request.success) return refuse(ctx, 400, 'The body is no JSON of payloads, or larger than 16 MiB.')
  const payloads = request.data.payloads.map(fromJson)
  const seen = { role, namespace: ctx.get('X-Namespace'), workflow_ids: [...new Set(payloads.map(workflowIdOf))] }
  try {
    const decrypted = payloads.map((payload) => decryptPayload(keys, payload))
    ctx.body = { payloads: (role === 'support' ? decrypted.map(redactPayload) : decrypted).map(toJson) }
    logger.info({ ...seen, payloads: payloads.length }, 'decoded')
  } catch (error) {
    if (!isUnreadable(error)) throw error
    logger.warn({ ...seen, problem: error.message }, 'a payload cannot be decoded')
    refuse(ctx, 422, error.message)
  }
}

function refuse(ctx: Context, status: number, message: string): void {
  ctx.status = status
  ctx.body = { error: message }
}

/** Takes the same time whichever token it is, and however much of it is right. */
function roleOf(ctx: Context, tokens: CodecAppDeps['tokens']): CodecRole | null {
  const given = digestOf(tokenIn(ctx.get('Authorization')))
  const roles = (['developer', 'support'] as const).filter((role) => {
    const isSame = timingSafeEqual(given, digestOf(tokens[role] ?? ''))
    return isSame && tokens[role] !== undefined
  })
  return roles[0] ?? null
}

/** The password of HTTP Basic, whatever the user name, or the Bearer token. */
function tokenIn(authorization: string): string {
  const [, scheme = '', credentials = ''] = /^(basic|bearer) +(\S+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return credentials
  return Buffer.from(credentials, 'base64')
    .toString()
    .replace(/^[^:]*:/, '')
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function fromJson({ metadata, data }: JsonPayload): Payload {
  const entries = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const)
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data, 'base64') }
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const encode = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64')
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, encode(value)] as const)
  return { metadata: Object.fromEntries(entries), data: encode(data) }
}
