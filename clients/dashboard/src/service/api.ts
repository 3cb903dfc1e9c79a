/** How the pages talk to the service: HTTP and JSON, with the session's cookie, the CSRF token and the project. */
import { t } from '../words/words.ts'

export interface InvalidField {
  name: string
  message: string
  line?: number
  column?: number
}

interface ErrorBody {
  error_type?: string
  message?: string
  invalid_fields?: InvalidField[]
  request_id?: string
}

/** An answer that is no success, or none: then `status` is 0. */
export class ApiError extends Error {
  readonly status: number
  readonly errorType: string
  readonly invalidFields: readonly InvalidField[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(status: number, body: ErrorBody, retryAfter: string | null = null) {
    super(body.message ?? t('common.problem.status', { status: String(status) }))
    this.status = status
    this.errorType = body.error_type ?? ''
    this.invalidFields = body.invalid_fields ?? []
    this.requestId = body.request_id ?? null
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
  }

  /** Whether the service has decided: a lost answer and a failure of ours may be asked for again with the same key. */
  get isDecided(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 409 && this.status !== 429
  }

  get endsSession(): boolean {
    return this.errorType === 'request.authentication.session-invalid'
  }
}

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Call {
  body?: unknown
  /** Where the call, repeated after a lost answer, must not act twice. */
  idempotencyKey?: string
}

/** What every call carries beside its own. */
export interface Credentials {
  /** Of the project and the environment; without one only the calls about the session work. */
  projectId: string | null
  csrfToken: string | null
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface FileReading {
  signal: AbortSignal
  /** Hears, as they come, how many records there are below the head. */
  onRecords(count: number): void
}

export interface Api {
  get<Answer>(address: string): Promise<Answer>
  /** An answer that is a file of CSV. */
  getFile(address: string, reading: FileReading): Promise<Blob>
  send<Answer>(method: Exclude<Method, 'GET'>, address: string, call?: Call): Promise<Answer>
}

/** What is heard of the session with each answer. */
export interface SessionSigns {
  /** The service has answered, and so kept the session alive. */
  answered(): void
  ended(): void
}

/** Calls of one person in one project and environment. */
export function createApi({ projectId, csrfToken }: Credentials, signs?: SessionSigns): Api {
  async function request<Answer>(
    method: Method,
    address: string,
    { body, idempotencyKey }: Call = {},
    read: (response: Response) => Promise<Answer> = readJson,
    signal: AbortSignal | null = null,
  ): Promise<Answer> {
    const headers: Record<string, string> = { Accept: 'application/json' }
    if (projectId !== null) headers['X-Project-Id'] = projectId
    if (csrfToken !== null && method !== 'GET') headers['X-CSRF-Token'] = csrfToken
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey
    try {
      const answer = await read(await responseTo(method, address, headers, body, signal))
      signs?.answered()
      return answer
    } catch (error) {
      if (error instanceof ApiError && error.endsSession) signs?.ended()
      throw error
    }
  }
  return {
    get: (address) => request('GET', address),
    getFile: (address, reading) =>
      request('GET', address, {}, (response) => readFile(response, reading), reading.signal),
    send: request,
  }
}

/** A response that is no error. */
async function responseTo(
  method: Method,
  address: string,
  headers: Record<string, string>,
  body: unknown,
  signal: AbortSignal | null,
): Promise<Response> {
  let response: Response
  try {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    response = await fetch(address, { method, headers, credentials: 'same-origin', cache: 'no-store', signal, ...sent })
  } catch {
    throw new ApiError(0, { message: t('common.problem.unreachable') })
  }
  if (response.ok) return response
  throw new ApiError(response.status, await readJson<ErrorBody>(response), response.headers.get('Retry-After'))
}

async function readJson<Answer>(response: Response): Promise<Answer> {
  try {
    return await response.json()
  } catch {
    // A proxy in front may answer with a page of its own.
    return {
      message: t('common.problem.unreadable', { status: String(response.status) }),
    } as Answer
  }
}

const [QUOTE, LINE_END] = [0x22, 0x0a]

async function readFile(response: Response, { onRecords }: FileReading): Promise<Blob> {
  const parts: BlobPart[] = []
  // The head is none.
  let records = -1
  let isQuoted = false
  try {
    for (const reader = response.body?.getReader(); reader !== undefined; ) {
      const { done, value } = await reader.read()
      if (done) break
      for (const byte of value) {
        if (byte === QUOTE) isQuoted = !isQuoted
        else if (byte === LINE_END && !isQuoted) records += 1
      }
      parts.push(value)
      onRecords(Math.max(0, records))
    }
    return new Blob(parts, { type: 'text/csv' })
  } catch {
    // The connection has ended before the file.
    throw new ApiError(0, { message: t('common.problem.incomplete') })
  }
}

/** An address with its query; what is undefined or empty is left out, and a list is repeated. */
export function addressOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) if (one !== '') parameters.append(name, one)
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

/** 128 random bits, as a key that names one wish. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `dashboard-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
