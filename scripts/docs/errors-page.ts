import { ERRORS, type ErrorEntry, type RetryClass } from '../../domain/errors.ts'
import { table } from './markdown.ts'

const RETRY_CLASSES: Readonly<Record<RetryClass, string>> = {
  never: 'not with this card or this request',
  'fix-data': 'once the data is corrected',
  authenticate: 'once the customer has authenticated with 3-D Secure',
  later: 'unchanged, after some time',
  'other-gateway': 'at once, through another gateway',
}

/** The headings of the families; a code belongs to the first family whose prefix it has. */
const FAMILIES: Readonly<Record<string, string>> = {
  'request.validation.': 'Fields of a request',
  'request.': 'Requests',
  'resource.': 'Objects that are not there',
  'card.': 'Cards',
  'customer.': 'Customers',
  'gateway.': 'Gateways',
  '': 'Payments and the service',
}

const INTRODUCTION = `# Error codes

\`error_type\` of an answer and \`error_code\` of a transaction are one of these. The same list is served as JSON by \`GET /error-codes\`, without a key. Treat a code that you do not know as a decline.

A code with a retry class is one that a payment can fail with; such an answer has the status 410, also where the table names 400 for the same code on \`POST /cards\`. The retry class says when another try makes sense:`

/** The reference of all error codes. */
export function errorsPage(): string {
  const classes = table(
    ['retry class', 'try again'],
    Object.entries(RETRY_CLASSES).map(([name, when]) => [`\`${name}\``, when]),
  )
  const families = Object.entries(FAMILIES).map(([prefix, title]) => `## ${title}\n\n${familyTable(prefix)}`)
  return `${[INTRODUCTION, classes, ...families].join('\n\n')}\n`
}

function familyTable(prefix: string): string {
  const entries = Object.entries<ErrorEntry>(ERRORS).filter(([code]) => familyOf(code) === prefix)
  const hasRetryClasses = entries.some(([, { retryClass }]) => retryClass !== undefined)
  const rows = entries.map(([code, { status, message, advice, retryClass }]) => [
    `\`${code}\``,
    String(status),
    ...(hasRetryClasses ? [retryClass === undefined ? '' : `\`${retryClass}\``] : []),
    message,
    advice,
  ])
  return table(['code', 'status', ...(hasRetryClasses ? ['retry class'] : []), 'meaning', 'what to do'], rows)
}

function familyOf(code: string): string | undefined {
  return Object.keys(FAMILIES).find((prefix) => code.startsWith(prefix))
}
