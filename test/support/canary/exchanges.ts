import { findSecrets, type KnownSecrets } from './find-secrets.ts'

/** A request that was answered, as far as the answer goes. */
export interface Exchange {
  method: string
  path: string
  status: number
  headers: Headers
  text: string
  /** The body of the request, where there was one. */
  sent?: string
}

/** The header in which the interface tells the client secret of an invoice. */
const CLIENT_SECRET_HEADER = 'x-service-client-secret'

/** The answers that tell a secret on purpose, and the one place of it. */
const TELLS_CLIENT_SECRET = /^(?:POST \/invoices|GET \/invoices\/[^/?]+)(?:\?|$)/
const TELLS_SIGNING_SECRET = /^POST \/webhook-endpoints(?:\/[^/?]+\/rotate-secret)?(?:\?|$)/

/** The requests that bring the credentials of an account at a gateway, which no answer ever tells. */
const BRINGS_CREDENTIALS = /^(?:POST \/gateways\/[^/?]+|PUT )\/gateway-configurations/

/** Shorter ones are words of a test that wants them refused, and found everywhere by chance. */
const CREDENTIAL_LENGTH_MIN = 8

/** Keeps the answers to a client until somebody looks through them. */
export interface Exchanges {
  add(exchange: Exchange): void
  /** The client secrets and signing secrets that were told where they may be told, and the credentials that were sent. */
  toldSecrets(): string[]
  /** A line for each thing in an answer that should not be there. */
  inspect(known: KnownSecrets): string[]
}

export function recordExchanges(): Exchanges {
  const told: string[] = []
  const kept: { name: string; text: string }[] = []
  return {
    add(exchange) {
      const { method, path, status } = exchange
      const { text, secrets } = withoutToldSecrets(exchange)
      told.push(...secrets, ...credentialsIn(exchange))
      kept.push({ name: `${method} ${path} (${status})`, text })
    },
    toldSecrets: () => [...new Set(told)],
    inspect(known) {
      // Looked through as one text first: hardly ever is there anything to be found.
      const others = [...new Set([...known.others, ...told])]
      const all = { ...known, others }
      if (findSecrets(kept.map(({ text }) => text).join('\n'), all).length === 0) return []
      return kept.flatMap(({ name, text }) =>
        findSecrets(text, all).map((what) => `The answer to ${name} holds ${what}.`),
      )
    },
  }
}

/** An answer as text without the secrets that stand in their own places, and these. */
function withoutToldSecrets({ method, path, status, headers, text }: Exchange): { text: string; secrets: string[] } {
  const request = `${method} ${path}`
  const secrets: string[] = []
  const lines = [...headers].map(([name, value]) => {
    const isToldHere = name === CLIENT_SECRET_HEADER && status === 200 && TELLS_CLIENT_SECRET.test(request)
    if (isToldHere) secrets.push(value)
    return `${name}: ${isToldHere ? '' : value}`
  })
  const signing = status === 200 && TELLS_SIGNING_SECRET.test(request) ? signingSecretIn(text) : null
  if (signing !== null) secrets.push(signing)
  // Its first occurrence is its place; a second one is none.
  return { text: [...lines, signing === null ? text : text.replace(signing, '')].join('\n'), secrets }
}

/** Of gateways, whether they were taken or refused. */
function credentialsIn({ method, path, sent = '' }: Exchange): string[] {
  if (!BRINGS_CREDENTIALS.test(`${method} ${path}`) || !sent.startsWith('{')) return []
  const { credentials } = JSON.parse(sent) as { credentials?: unknown }
  const values = typeof credentials === 'object' && credentials !== null ? Object.values(credentials) : []
  return values.filter((value) => typeof value === 'string' && value.length >= CREDENTIAL_LENGTH_MIN) as string[]
}

function signingSecretIn(text: string): string | null {
  const { webhook_endpoint: endpoint } = JSON.parse(text) as { webhook_endpoint?: { secret?: unknown } }
  return typeof endpoint?.secret === 'string' ? endpoint.secret : null
}
