import { stripVTControlCharacters } from 'node:util'
import { type Paint, paintState, printable } from './style.ts'

type Row = Readonly<Record<string, unknown>>

interface Column {
  /** Of the name that the rows have. */
  title: string | ((rows: readonly Row[]) => string)
  cellOf: (row: Row) => string
}

const textOf = (value: unknown) => (value === null || value === undefined ? '' : printable(String(value)))
const firstOf = (row: Row, names: readonly string[]) => textOf(names.map((name) => row[name]).find(Boolean))

/** What objects are called by, the most telling first. */
const NAMES = { name: 'NAME', path: 'PATH', url: 'URL', email: 'EMAIL', request_url: 'URL', summary: 'SUMMARY' }
const NAME_FIELDS = Object.keys(NAMES) as (keyof typeof NAMES)[]

function nameTitleOf(rows: readonly Row[]): string {
  const field = NAME_FIELDS.find((name) => rows.some((row) => Boolean(row[name])))
  return NAMES[field ?? 'name']
}

/** What tells objects apart, the most telling first: what a terminal has no room for is left out. */
const COLUMNS: readonly Column[] = [
  { title: 'ID', cellOf: ({ id }) => textOf(id) },
  { title: 'STATUS', cellOf: ({ status, enabled }) => (enabled === false ? 'disabled' : textOf(status)) },
  { title: 'METHOD', cellOf: ({ method }) => textOf(method) },
  { title: 'AMOUNT', cellOf: ({ amount, currency }) => [textOf(amount), textOf(currency)].join(' ').trim() },
  { title: nameTitleOf, cellOf: (row) => firstOf(row, NAME_FIELDS) },
  { title: 'CARD', cellOf: ({ scheme, last_4_digits }) => [textOf(scheme), textOf(last_4_digits)].join(' ').trim() },
  { title: 'VERSION', cellOf: ({ version }) => textOf(version) },
  {
    title: 'AT (UTC)',
    cellOf: (row) =>
      firstOf(row, ['fired_at', 'created_at'])
        .replace(/^(.{16}).*$/, '$1')
        .replace('T', ' '),
  },
]

/** A column with what it shows of each row. */
interface Laid {
  title: string
  cells: readonly string[]
  width: number
  /** A name, of which a part is better than nothing. */
  isName: boolean
}

const TEXT_MAX = 32
/** Less of a name tells nothing. */
const NAME_MIN = 8
const GAP = '  '

/** Objects of one list as a table of at most this width; instants are in UTC. */
export function tableOf(rows: readonly object[], width: number, paint: Paint): string {
  const columns = COLUMNS.map(({ title: named, cellOf }): Laid => {
    const isName = typeof named !== 'string'
    const title = isName ? named(rows as readonly Row[]) : named
    // The names of events are words of the interface and stay whole.
    const longest = (row: object) => (title === 'ID' || 'fired_at' in row ? 80 : TEXT_MAX)
    const cells = rows.map((row) => shortened(cellOf(row as Row), longest(row)))
    return { title, cells, isName, width: Math.max(title.length, ...cells.map((cell) => cell.length)) }
  }).filter(({ cells }) => cells.some((cell) => cell !== ''))
  const shown = fittingOf(columns, width)
  const line = (cellOf: (column: Laid) => string) =>
    shown
      .map((column) => padded(cellOf(column), column.width))
      .join(GAP)
      .trimEnd()
  return [
    line(({ title }) => paint('dim', title)),
    ...rows.map((_, index) =>
      line(({ title, cells, width: room }) => {
        const cell = shortened(cells[index] ?? '', room)
        return title === 'STATUS' ? paintState(paint, cell) : cell
      }),
    ),
  ].join('\n')
}

/** Those for which there is room, beginning with the first; a name takes what is left. */
function fittingOf(columns: readonly Laid[], width: number): Laid[] {
  let room = width
  return columns.flatMap((column, index) => {
    const isShort = column.isName && column.width > room && room >= NAME_MIN
    const taken = isShort ? room : column.width
    if (taken > room && index > 0) return []
    room -= taken + GAP.length
    return [{ ...column, width: taken }]
  })
}

/** Colours take no room. */
const padded = (text: string, width: number) => text + ' '.repeat(width - stripVTControlCharacters(text).length)

/** Nothing is cut in the middle of a character that takes two units. */
const shortened = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text
