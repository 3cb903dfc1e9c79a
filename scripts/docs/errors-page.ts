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
  'request.': 'Requests',
  'card.': 'Cards',
  'customer.': 'Customers',
  'gateway.': 'Gateways',
  '': 'Payments',
}

const INTRODUCTION = `# Error codes

An error code is the \`error_type\` of an answer or the \`error_code\` of a transaction. \`GET /error-codes\` serves all with their meaning and what to do, without a key; the [reference](api.md#reference) has those of each operation. A refused request has a \`message\`, a failed transaction \`error_recommendations\`. Treat an unknown code as a decline. [Errors and what to do](guides/errors.md) is the guide for programs.

This page has the codes that a payment can fail with, always with the status 410, even where \`POST /cards\` answers 400 with the same code. The retry class says when another try makes sense:`

/** The codes that a payment can fail with, those that are handled alike in one row. */
export function errorsPage(): string {
  const classes = table(
    ['retry class', 'try again'],
    Object.entries(RETRY_CLASSES).map(([name, when]) => [`\`${name}\``, when]),
  )
  const families = Object.entries(FAMILIES).map(([prefix, title]) => `## ${title}\n\n${familyTable(prefix)}`)
  return `${[INTRODUCTION, classes, ...families].join('\n\n')}\n`
}

function familyTable(prefix: string): string {
  const rows = new Map<RetryClass, string[]>()
  for (const [code, { retryClass }] of Object.entries<ErrorEntry>(ERRORS))
    if (retryClass !== undefined && familyOf(code) === prefix)
      rows.set(retryClass, [...(rows.get(retryClass) ?? []), `\`${code}\``])
  return table(
    ['retry class', 'codes'],
    [...rows].map(([retryClass, codes]) => [`\`${retryClass}\``, codes.join(', ')]),
  )
}

function familyOf(code: string): string | undefined {
  return Object.keys(FAMILIES).find((prefix) => code.startsWith(prefix))
}
