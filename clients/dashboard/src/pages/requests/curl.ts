/** A logged request as a command of curl that can be sent once more. */
import type { ApiRequest } from '../../../../node/src/generated/schemas.ts'
import { t } from '../../words/words.ts'

/** The payment that a request names in its address or its body. */
export function invoiceOf({ path, request_body: body }: Pick<ApiRequest, 'path'> & Partial<ApiRequest>): string | null {
  const named = body?.invoice_id
  return /\biv_\w+/.exec(path)?.[0] ?? (typeof named === 'string' && /^iv_\w+$/.test(named) ? named : null)
}

/** What the log puts in place of a secret, and of all but the last digits of a card number. */
const MASKED = /\[redacted\]|\*{2,}/

/** A text as one word of a POSIX shell, whatever is in it. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * The command, or null for what the dashboard alone calls, which takes no key.
 *
 * @param origin of the service, "https://api.example"
 */
export function curlOf(request: ApiRequest, origin: string, projectId: string): string | null {
  const { method, path, query, request_body: body, has_idempotency_key: hasKey } = request
  if (path.startsWith('/dashboard/')) return null
  const parameters = Object.entries(query ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`),
  )
  const address = origin + path + (parameters.length === 0 ? '' : `?${parameters.join('&')}`)
  const isEmpty = body == null || Object.keys(body).length === 0
  const sent = isEmpty ? '' : JSON.stringify(body)
  const mark = MASKED.exec(JSON.stringify([path, query, sent]))?.[0]
  const comments = [
    t('requests.curlKey'),
    ...(hasKey ? [t('requests.curlIdempotency')] : []),
    ...(mark === undefined ? [] : [t('requests.curlMasked', { mark })]),
  ]
  const parts = [
    `curl -X ${shellWord(method)} ${shellWord(address)}`,
    `-u ${shellWord(`${projectId}:`)}"$KEY"`,
    ...(hasKey ? ['-H "Idempotency-Key: $(head -c 18 /dev/urandom | base64)"'] : []),
    ...(isEmpty ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellWord(sent)}`]),
  ]
  // What is masked must not be sent by a paste: the command is then a comment, too.
  const lines = parts.join(' \\\n  ')
  const command = mark === undefined ? lines : lines.replaceAll(/^/gm, '# ')
  return [...comments.map((comment) => `# ${comment}`), command].join('\n')
}
