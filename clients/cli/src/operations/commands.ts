import { type Command, Option } from 'commander'
import type { Answered, Holdfast, List, Page } from '../../../node/src/index.ts'
import { connect } from '../credentials/credentials.ts'
import { defineCommand, FILTER_WORDS, groupOf } from '../define-command.ts'
import { UsageError } from '../failures.ts'
import { OPERATIONS } from '../generated/operations.ts'
import { type Io, remark, say } from '../io.ts'
import { show, showLine, showObject, tableFor } from '../output/show.ts'
import { bodyOf } from './fields.ts'
import { type Field, kebab, type Operation, wordsOf } from './operation.ts'

/** A command for each operation of the interface, of one table. */
export function addOperations(program: Command, io: Io): void {
  for (const operation of OPERATIONS) addOperation(program, operation, io)
}

interface Options {
  json?: boolean
  data?: string
  idempotencyKey?: string
  expand?: string
  filter?: string[]
  limit?: string
  order?: 'asc' | 'desc'
  startAfter?: string
  endBefore?: string
  all?: boolean
}

function addOperation(program: Command, operation: Operation, io: Io): void {
  const words = wordsOf(operation)
  const name = words.at(-1) ?? ''
  const parent = words.slice(0, -1).reduce((group, word) => groupOf(group, word), program)
  const usage = [name, ...operation.ids.map((id) => `<${kebab(id)}>`)].join(' ')
  const { summary, secretFields } = operation
  const details =
    secretFields.length === 0
      ? undefined
      : `No option is there for ${secretFields.join(', ')}, since others could see it: give them by --data.`
  const command = defineCommand(io, parent, usage, {
    summary,
    ...(details === undefined ? {} : { details }),
    examples: [exampleOf(operation)],
  })
  if (name === 'retrieve') command.alias('show')
  const options = new Map(operation.fields.map((field) => [field.name, optionOf(field)]))
  for (const option of options.values()) command.addOption(option)
  const seen = secretFields.map((field) => new Option(`--${kebab(field)} [value]`).hideHelp())
  for (const option of seen) command.addOption(option)
  addCommonOptions(command, operation)
  command.action(async (...args: unknown[]) => {
    const ids = operation.ids.map((_, index) => String(args[index]))
    const given = command.opts<Options & Record<string, string | true>>()
    refuse(seen.find((option) => given[option.attributeName()] !== undefined))
    const fields = [...options].flatMap(([field, option]): [string, string][] => {
      // Of a boolean without a value it is true.
      const text = given[option.attributeName()]
      return text === undefined ? [] : [[field, String(text)]]
    })
    await run(operation, ids, new Map(fields), given, io)
  })
}

/** @throws UsageError for what others on this machine can read in the list of processes. */
function refuse(seen: Option | undefined): void {
  if (seen === undefined) return
  throw new UsageError(
    `${seen.long} is not taken from the command line, where others on this machine can see it. Give the fields as JSON, by --data FILE or by a pipe and --data -.`,
  )
}

function addCommonOptions(command: Command, { isList, takesBody, changes, expands }: Operation): void {
  if (takesBody) command.option('--data <file>', 'the fields as JSON, from a file or from - (the standard input)')
  if (changes) command.option('--idempotency-key <key>', 'what is done once, however often the command is run')
  if (expands) command.option('--expand <names>', 'related objects to show, such as transaction.operations')
  if (!isList) return
  command
    .option('--filter <condition...>', FILTER_WORDS)
    .option('--limit <number>', 'how many objects, 100 at most')
    .addOption(new Option('--order <order>', 'the newest first (desc), or the oldest').choices(['desc', 'asc']))
    .option('--start-after <id>', 'begin right after this object')
    .option('--end-before <id>', 'end right before this object')
    .option('--all', 'every page; with --json one object a line')
}

function optionOf({ name, kind, about, choices, isRequired }: Field): Option {
  const text = isRequired ? `${about} Needed.` : about
  const flag = `--${kebab(name)}`
  if (kind === 'boolean') return new Option(`${flag} [true|false]`, text)
  const option = new Option(`${flag} <${kind}>`, text)
  return choices === undefined ? option : option.choices(choices)
}

async function run(operation: Operation, ids: string[], fields: Map<string, string>, options: Options, io: Io) {
  const params = {
    ...(await bodyOf(operation, fields, options.data, io)),
    ...(options.expand === undefined ? {} : { expand: options.expand.split(',') }),
    ...(operation.isList ? listParams(options) : {}),
  }
  const client = await connect(io)
  const { idempotencyKey } = options
  const takesParams = operation.takesBody || operation.isList || operation.expands
  const args = [
    ...ids,
    ...(takesParams ? [params] : []),
    { signal: io.signal, ...(idempotencyKey && { idempotencyKey }) },
  ]
  const result = methodOf(client, operation.method)(...args)
  if (!operation.isList) return showObject(io, options, await (result as Promise<Answered<object>>))
  await showList(result as List<{ id: string }>, options, io)
}

async function showList(list: List<{ id: string }>, options: Options, io: Io): Promise<void> {
  if (options.all !== true) {
    const page = await list
    show(io, options, page, () => tableOf(page, io))
    if (page.has_more && options.json !== true)
      remark(io, `${moreOf(page)} Use --all, or --start-after ${page.data.at(-1)?.id}.`)
    return
  }
  let isFirst = true
  for await (const page of list.pages()) {
    if (options.json === true) for (const one of page.data) showLine(io, options, one, () => '')
    else if (isFirst || page.data.length > 0) say(io, tableOf(page, io))
    isFirst = false
  }
}

const tableOf = (page: Page<{ id: string }>, io: Io) => (page.data.length === 0 ? 'None.' : tableFor(io, page.data))

const moreOf = ({ data, total_count, total_count_capped }: Page<{ id: string }>) =>
  `These are ${data.length} of ${total_count}${total_count_capped ? ' or more' : ''}.`

function listParams({ filter, limit, order, startAfter, endBefore }: Options): object {
  return {
    ...(filter && { filter }),
    ...(limit && { limit }),
    ...(order && { order }),
    ...(startAfter && { start_after: startAfter }),
    ...(endBefore && { end_before: endBefore }),
  }
}

type Method = (...args: unknown[]) => Promise<Answered<object>> | List<{ id: string }>

/** The table and the client are made from the same document, so that each name is there. */
function methodOf(client: Holdfast, name: string): Method {
  const path = name.split('.')
  const method = path.pop() ?? ''
  const resource = path.reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], client)
  return (resource as Record<string, Method>)[method]?.bind(resource) as Method
}

/** The example of the document as a command. */
function exampleOf(operation: Operation): string {
  const { fields, secretFields, example, isList } = operation
  const [resource = '', ...rest] = wordsOf(operation)
  const words = [resource, ...rest, ...example.ids]
  if (Object.keys(example.body).some((name) => secretFields.includes(name)))
    return [...words, `--data ${resource.replace(/s$/, '')}.json`].join(' ')
  const options = fields.flatMap(({ name, kind }) => {
    const value = example.body[name]
    if (value === undefined) return []
    if (kind === 'json') return [`--${kebab(name)} '${JSON.stringify(value)}'`]
    const text = kind === 'list' ? (value as string[]).join(',') : String(value)
    if (kind === 'boolean') return [`--${kebab(name)}${value === true ? '' : ' false'}`]
    return [`--${kebab(name)} ${text.includes('\n') ? '@file' : quoted(text)}`]
  })
  return [...words, ...options.slice(0, 4), ...(isList ? ['--limit 20'] : [])].join(' ')
}

const quoted = (text: string) => (/^[\w.,:/@…+-]+$/.test(text) ? text : `"${text}"`)
