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
  '': 'Payments and the service',
}

/** Codes whose name says everything: they need no row. */
const TOLD_BY_NAME = /^(request\.validation|resource)\./

const INTRODUCTION = `# Error codes

\`error_type\` of an answer and \`error_code\` of a transaction have one of these codes. \`GET /error-codes\` serves the meaning of each code and what to do about it as JSON, without a key; the [reference](api.md#reference) has them, too. A refused request has a \`message\`, a failed transaction \`error_recommendations\`. Treat an unknown code as a decline. [Errors and what to do](guides/errors.md) is the guide for programs.

A payment can fail with a code that has a retry class. Such an answer has the status 410, even where \`POST /cards\` answers 400 with the same code. The retry class says when another try makes sense:`

const BY_NAME =
  'Beside these, `request.validation.…` (400) names what is wrong with a field, and `resource.….not-found` (404) the kind of object that does not exist.'

/** The reference of all error codes, those that are handled alike in one row. */
export function errorsPage(): string {
  const classes = table(
    ['retry class', 'try again'],
    Object.entries(RETRY_CLASSES).map(([name, when]) => [`\`${name}\``, when]),
  )
  const families = Object.entries(FAMILIES).map(([prefix, title]) => `## ${title}\n\n${familyTable(prefix)}`)
  return `${[INTRODUCTION, classes, ...families, BY_NAME].join('\n\n')}\n`
}

function familyTable(prefix: string): string {
  const entries = Object.entries<ErrorEntry>(ERRORS).filter(
    ([code]) => familyOf(code) === prefix && !TOLD_BY_NAME.test(code),
  )
  const hasRetryClasses = entries.some(([, { retryClass }]) => retryClass !== undefined)
  const rows = new Map<string, { cells: string[]; codes: string[] }>()
  for (const [code, { status, retryClass }] of entries) {
    const classCell = retryClass === undefined ? '' : `\`${retryClass}\``
    const cells = [String(status), ...(hasRetryClasses ? [classCell] : [])]
    const row = rows.get(cells.join()) ?? { cells, codes: [] }
    row.codes.push(`\`${code}\``)
    rows.set(cells.join(), row)
  }
  return table(
    ['status', ...(hasRetryClasses ? ['retry class'] : []), 'codes'],
    [...rows.values()].map(({ cells, codes }) => [...cells, codes.join(', ')]),
  )
}

function familyOf(code: string): string | undefined {
  return Object.keys(FAMILIES).find((prefix) => code.startsWith(prefix))
}
