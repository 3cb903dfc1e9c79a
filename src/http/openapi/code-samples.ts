import { changes, type Endpoint } from '../endpoint.ts'
import { pathParameters } from './parameters.ts'

/** How a sample is shown by readers of `x-codeSamples`. */
export interface CodeSample {
  lang: string
  label: string
  source: string
}

/** What stands in samples for the address of the service and the credentials of the caller. */
const SAMPLE_SERVICE = 'https://payments.example'
const SAMPLE_PROJECT = 'test-proj_…'
const SAMPLE_SECRET = 'key_…'

/** A call as the samples write it. */
interface SampleCall {
  method: string
  /** With ids of examples: `/invoices/iv_…/capture`. */
  path: string
  ids: readonly string[]
  query: readonly (readonly [name: string, value: string])[]
  body: Readonly<Record<string, unknown>> | null
  /** It takes an `Idempotency-Key`. */
  changes: boolean
  isList: boolean
  /** Of our client for Node and the command line: `invoices.capture`; null where they have none. */
  clientMethod: string | null
  /** It needs no key. */
  isOpen: boolean
  isJson: boolean
}

/** A call of an endpoint in each language: with what nothing but the language brings, and by our own client and command line. */
export function codeSamples(endpoint: Endpoint): CodeSample[] {
  const call = callOf(endpoint)
  const { clientMethod } = call
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    ...(clientMethod === null ? [] : [{ lang: 'JavaScript', label: 'Node', source: node(call, clientMethod) }]),
    { lang: 'Python', label: 'Python', source: python(call) },
    { lang: 'PHP', label: 'PHP', source: php(call) },
    ...(clientMethod === null ? [] : [{ lang: 'Shell', label: 'CLI', source: commandLine(call, clientMethod) }]),
  ]
}

function callOf(endpoint: Endpoint): SampleCall {
  const { httpMethod, path, body, filters, query = [], access, method, mediaType = 'application/json' } = endpoint
  const ids = pathParameters(path).parameters.map(({ example }) => shortened(String(example)))
  const rest = [...ids]
  return {
    method: httpMethod,
    path: path.replaceAll(/:\w+/g, () => rest.shift() ?? ''),
    ids,
    query: [
      ...(query.includes('From')
        ? ([
            ['from', '2026-11-01'],
            ['until', '2026-12-01'],
          ] as const)
        : []),
      ...(filters === undefined ? [] : ([['limit', '20']] as const)),
    ],
    body: body === undefined ? null : ((body.example ?? {}) as SampleCall['body']),
    changes: changes(endpoint),
    isList: filters !== undefined,
    clientMethod: method,
    isOpen: typeof access === 'string',
    isJson: mediaType === 'application/json',
  }
}

/** Without the random part of ids, which says nothing. */
const shortened = (text: string) => text.replaceAll(/\b([a-z]+(?:_[a-z]+)*_)[A-Za-z0-9]{32}\b/g, '$1…')

const queryOf = ({ query }: SampleCall) =>
  query.length === 0 ? '' : `?${query.map(([name, value]) => `${name}=${value}`).join('&')}`

const bodyText = (body: unknown) => shortened(JSON.stringify(body, null, 2))

const hasFields = (body: SampleCall['body']): body is NonNullable<SampleCall['body']> =>
  body !== null && Object.keys(body).length > 0

/** What every Linux and macOS has, also the smallest. */
const RANDOM_KEY = '$(head -c 18 /dev/urandom | base64)'

/** A text between single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function curl(call: SampleCall): string {
  const address = `${SAMPLE_SERVICE}${call.path}${queryOf(call)}`
  return [
    `curl ${call.method === 'GET' || (call.method === 'POST' && hasFields(call.body)) ? '' : `-X ${call.method} `}${quoted(address)}`,
    ...(call.isOpen ? [] : [`  -u ${quoted(`${SAMPLE_PROJECT}:${SAMPLE_SECRET}`)}`]),
    ...(call.changes ? [`  -H "Idempotency-Key: ${RANDOM_KEY}"`] : []),
    ...(hasFields(call.body) ? ["  -H 'Content-Type: application/json'", `  -d ${quoted(bodyText(call.body))}`] : []),
  ].join(' \\\n')
}

/** Between double quotes only where something is escaped, which all three languages do alike. */
function textLiteral(text: string): string {
  const written = JSON.stringify(shortened(text))
  return /['\\]/.test(written) ? written : `'${written.slice(1, -1)}'`
}

/** Names of fields without quotes where JavaScript needs none, and texts between single ones. */
function javascript(value: unknown, indent = ''): string {
  const deeper = `${indent}  `
  if (typeof value === 'string') return textLiteral(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => javascript(item, deeper))
    return items.length === 0 ? '[]' : `[\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}]`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(
    ([name, inner]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`}: ${javascript(inner, deeper)}`,
  )
  if (fields.length === 0) return '{}'
  const line = `{ ${fields.join(', ')} }`
  if (line.length < 60 && !line.includes('\n')) return line
  return `{\n${fields.map((field) => `${deeper}${field},\n`).join('')}${indent}}`
}

function node(call: SampleCall, clientMethod: string): string {
  const { isList, ids, body } = call
  const params = isList ? { limit: 20 } : hasFields(body) ? body : null
  const args = [...ids, ...(params === null ? [] : [params])].map((arg) => javascript(arg)).join(', ')
  const asked = `client.${clientMethod}(${args})`
  return [
    "import { Holdfast } from '@holdfast/node'",
    '',
    'const client = new Holdfast({',
    `  projectId: '${SAMPLE_PROJECT}',`,
    `  secretKey: '${SAMPLE_SECRET}',`,
    `  apiUrl: '${SAMPLE_SERVICE}',`,
    '})',
    '',
    ...(isList
      ? [`for await (const one of ${asked}) console.log(one)`]
      : [`const answer = await ${asked}`, 'console.log(answer)']),
  ].join('\n')
}

/** As Python and PHP write it, by their own words for what is nothing, true and false. */
function literal(value: unknown, { open, close, pair, words }: Notation, indent: string): string {
  const deeper = `${indent}    `
  const inner = (one: unknown) => literal(one, { open, close, pair, words }, deeper)
  if (value === null || typeof value === 'boolean') return words[String(value)] ?? ''
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const items = isList ? value.map(inner) : Object.entries(value).map(([name, one]) => `'${name}'${pair}${inner(one)}`)
  const [first, last] = isList ? ['[', ']'] : [open, close]
  if (items.length === 0) return `${first}${last}`
  return `${first}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${last}`
}

interface Notation {
  open: string
  close: string
  pair: string
  words: Readonly<Record<string, string>>
}

const PYTHON: Notation = { open: '{', close: '}', pair: ': ', words: { null: 'None', true: 'True', false: 'False' } }
const PHP: Notation = { open: '[', close: ']', pair: ' => ', words: { null: 'null', true: 'true', false: 'false' } }

function python(call: SampleCall): string {
  const { method, path, query, body, isJson } = call
  return [
    ...(call.changes ? ['import uuid', ''] : []),
    'import requests  # pip install requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    '${SAMPLE_SERVICE}${path}',`,
    ...(call.isOpen ? [] : [`    auth=('${SAMPLE_PROJECT}', '${SAMPLE_SECRET}'),`]),
    ...(call.changes ? ["    headers={'Idempotency-Key': str(uuid.uuid4())},"] : []),
    ...(query.length === 0 ? [] : [`    params=${literal(Object.fromEntries(query), PYTHON, '    ')},`]),
    ...(hasFields(body) ? [`    json=${literal(body, PYTHON, '    ')},`] : []),
    ')',
    `print(answer.status_code, answer.${isJson ? 'json()' : 'text'})`,
  ].join('\n')
}

function php(call: SampleCall): string {
  const { method, path, body } = call
  const headers = [
    ...(hasFields(body) ? ["'Content-Type: application/json'"] : []),
    ...(call.changes ? ["'Idempotency-Key: ' . bin2hex(random_bytes(16))"] : []),
  ]
  return [
    '<?php',
    `$call = curl_init('${SAMPLE_SERVICE}${path}${queryOf(call)}');`,
    'curl_setopt_array($call, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    ...(call.isOpen ? [] : [`    CURLOPT_USERPWD => '${SAMPLE_PROJECT}:${SAMPLE_SECRET}',`]),
    ...(headers.length === 0 ? [] : [`    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`]),
    ...(hasFields(body) ? [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, PHP, '    ')}),`] : []),
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    `$answer = ${call.isJson ? 'json_decode(curl_exec($call), true)' : 'curl_exec($call)'};`,
    'echo curl_getinfo($call, CURLINFO_RESPONSE_CODE), PHP_EOL;',
    'print_r($answer);',
  ].join('\n')
}

/** What other people of the machine must not read stands in a file, as the command line wants it. */
function commandLine(call: SampleCall, clientMethod: string): string {
  const words = clientMethod.split('.').map((name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  const { ids, body, isList } = call
  const command = ['holdfast', ...words, ...ids].join(' ')
  if (isList) return `${command} --limit 20`
  return hasFields(body) ? `${command} --data - <<'END'\n${bodyText(body)}\nEND` : command
}
