import { readFileSync } from 'node:fs'
import { type CallExpression, type Expression, type Node, parseSync } from '@swc/core'

/**
 * The titles of the tests in a file: as they are written there, `%s` and all, and with the words that a row of
 * `test.each` begins with in the place of the first `%s`. What is skipped or only planned has none.
 *
 * @param file relative to the root of the project.
 */
export function testTitles(file: string): string[] {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  const titles: string[] = []
  visit(parseSync(source, { syntax: 'typescript', target: 'es2024' }), (call) => {
    if (!isTest(call.callee)) return
    const title = titleOf(call)
    titles.push(title, ...rowsOf(call.callee).map((row) => title.replace('%s', row)))
  })
  return titles
}

/** True for `test` and for what `test.each` makes of a table. */
function isTest(callee: CallExpression['callee']): boolean {
  if (callee.type === 'Identifier') return callee.value === 'test'
  return callee.type === 'CallExpression' && isEach(callee.callee)
}

function isEach(callee: CallExpression['callee']): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.value === 'test' &&
    callee.property.type === 'Identifier' &&
    callee.property.value === 'each'
  )
}

function titleOf({ arguments: [title] }: CallExpression): string {
  const expression: Expression | undefined = title?.expression
  return expression?.type === 'StringLiteral' ? expression.value : ''
}

/** The first word of each row of a table that is written into the call of `each`. */
function rowsOf(callee: CallExpression['callee']): string[] {
  if (callee.type !== 'CallExpression') return []
  const table = callee.arguments[0]?.expression
  if (table?.type !== 'ArrayExpression') return []
  return table.elements.flatMap((row) => {
    const [first] = row?.expression.type === 'ArrayExpression' ? row.expression.elements : [row]
    return first?.expression.type === 'StringLiteral' ? [first.expression.value] : []
  })
}

function visit(node: unknown, see: (call: CallExpression) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, see)
  else if (typeof node === 'object' && node !== null) {
    if ((node as Node).type === 'CallExpression') see(node as CallExpression)
    for (const child of Object.values(node)) visit(child, see)
  }
}
