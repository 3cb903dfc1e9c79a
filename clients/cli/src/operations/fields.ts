import { readFile } from 'node:fs/promises'
import { UsageError } from '../failures.ts'
import { type Io, readInput, textOf } from '../io.ts'
import { type Field, kebab, type Operation } from './operation.ts'

/** What was given for the options of a command, by the names of the fields; a text each. */
export type Given = ReadonlyMap<string, string>

/**
 * The body that a file or the standard input has, with the fields that were given as options.
 *
 * @throws UsageError for what is no value of its field, or no file.
 */
export async function bodyOf(
  { fields }: Operation,
  given: Given,
  dataFrom: string | undefined,
  io: Io,
): Promise<object> {
  const body = dataFrom === undefined ? {} : objectOf(dataFrom, await textFrom(dataFrom, io))
  const named: [string, unknown][] = []
  for (const field of fields) {
    const text = given.get(field.name)
    if (text !== undefined) named.push([field.name, valueFor(field, await givenText(text, io))])
  }
  return { ...body, ...Object.fromEntries(named) }
}

function objectOf(name: string, text: string): object {
  const value = parsed(text, name === '-' ? 'The standard input' : name)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`--data must be an object in JSON, such as {"name": "Order 1"}.`)
  return value
}

/** `@FILE` is what the file holds, without the line end that editors write behind it; `@@joe` is the text `@joe`. */
async function givenText(text: string, io: Io): Promise<string> {
  if (!text.startsWith('@')) return text
  if (text.startsWith('@@')) return text.slice(1)
  return (await textFrom(text.slice(1), io)).replace(/\r?\n$/, '')
}

async function textFrom(path: string, io: Io): Promise<string> {
  if (path === '-') return readInput(io)
  const bytes = await readFile(path).catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}`)
  })
  return textOf(bytes, path)
}

function valueFor({ name, kind }: Field, text: string): unknown {
  const option = `--${kebab(name)}`
  if (kind === 'number') {
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option} must be a whole number, not "${text}".`)
    return Number(text)
  }
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new UsageError(`${option} must be true or false, not "${text}".`)
    return text === 'true'
  }
  if (kind === 'list') return text.split(',')
  if (kind === 'json') return parsed(text, option)
  return text
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${what} is no JSON: ${(error as Error).message}`)
  }
}
