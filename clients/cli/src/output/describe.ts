import { type Paint, paintState, printable } from './style.ts'

/**
 * An object of the interface for people: a field a line, what is inside another object below its name. Fields without a
 * value are left out.
 */
export function describe(answer: object, paint: Paint): string {
  const lines = linesOf(
    Object.entries(answer).filter(([name]) => name !== 'success'),
    paint,
  )
  return lines.length === 0 ? paint('green', 'Done.') : lines.join('\n')
}

function linesOf(entries: readonly [string, unknown][], paint: Paint): string[] {
  const shown = entries.filter(([, value]) => !isEmpty(value))
  const width = Math.max(0, ...shown.filter(([, value]) => !isInner(value)).map(([name]) => name.length))
  return shown.flatMap(([name, value]) => {
    if (!isInner(value)) return [`${paint('dim', printable(name).padEnd(width))}  ${textOf(value, paint)}`]
    const inner = innerLinesOf(value, paint)
    return [paint('bold', printable(name)), ...inner.map((line) => (line === '' ? '' : `  ${line}`))]
  })
}

/** Objects of a list, with an empty line between them. */
function itemsOf(items: readonly unknown[], paint: Paint): string[] {
  return items.flatMap((item, index) => [
    ...(index === 0 ? [] : ['']),
    ...(typeof item === 'object' && item !== null ? linesOf(Object.entries(item), paint) : [textOf(item, paint)]),
  ])
}

/** What has lines of its own: objects, lists of them, and long texts. */
function isInner(value: unknown): value is object | string {
  return typeof value === 'string' ? value.includes('\n') : typeof value === 'object' && !isPlainList(value)
}

function innerLinesOf(value: object | string, paint: Paint): string[] {
  if (typeof value === 'string') return value.trimEnd().split('\n').map(printable)
  return Array.isArray(value) ? itemsOf(value, paint) : linesOf(Object.entries(value), paint)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

const isPlainList = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item !== 'object')

function textOf(value: unknown, paint: Paint): string {
  const text = printable(Array.isArray(value) ? value.join(', ') : String(value))
  return paintState(paint, text)
}
