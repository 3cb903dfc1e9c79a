import { TOTAL_COUNT_MAX } from '../../src/persistence/queries/lists/page.ts'
import { monotonicMs } from '../measure/clock.ts'
import { median } from '../measure/statistics.ts'
import type { PartContext, PartResult, Stage } from '../parts/part.ts'
import { makeProject, type Project } from '../payments/project.ts'
import { figureOf } from '../report/figure.ts'
import { type AskedList, LISTS, type NamedRow } from './lists.ts'
import { populate } from './population.ts'

const SMALL = 10_000
const LARGE = 1_000_000
const LARGE_QUICK = 50_000
/** Of a list, at each size; one at a time, the two sizes in turn. */
const READINGS = 100
const READINGS_QUICK = 20

interface Side {
  name: string
  payments: number
  project: Project
  row: NamedRow
}

/** What a list said of itself. */
interface Answer {
  tookMs: number
  ids: string[]
  totalCount: number
  isCapped: boolean
}

/** What each list took, in ms: the median of its readings. */
type Repeat = Record<string, { large: number; small: number }>

/**
 * How long lists take for a project of a million payments, beside one of ten thousand in the same tables. The first page of
 * every list without a filter is compared with the table, and its total with the rows.
 */
export async function measureLists(context: PartContext & { stage: Stage }): Promise<PartResult> {
  const { stage, quick, quietly, say, signal, repeats: times } = context
  const em = stage.core.orm.em.fork()
  const sizes = { small: SMALL, large: quick ? LARGE_QUICK : LARGE }
  const [small, large, other] = await Promise.all(
    ['Small', 'Large', 'Other'].map((name) => makeProject(stage.core, name)),
  )
  if (small === undefined || large === undefined || other === undefined) throw new Error('There are three projects.')
  await populate(
    em,
    [
      { project: small, payments: sizes.small },
      { project: large, payments: sizes.large },
      { project: other, payments: sizes.large / 10 },
    ],
    say,
  )
  const sides = {
    small: await sideOf('small', small, sizes.small),
    large: await sideOf('large', large, sizes.large),
  }
  let readings = 0

  /** The row in the middle of a project. */
  async function sideOf(name: string, project: Project, payments: number): Promise<Side> {
    const [row] = await em.execute<NamedRow[]>(
      `select transaction.id as transaction_id, transaction.invoice_id, transaction.card_id, event.id as event_id
         from transaction join event on event.transaction_id = transaction.id
        where transaction.project_id = ? order by transaction.created_at offset ? limit 1`,
      [project.projectId, payments / 2],
    )
    if (row === undefined) throw new Error('The project has no payments.')
    return { name, payments, project, row }
  }

  async function read({ project, row }: Side, { path, plural }: AskedList): Promise<Answer> {
    signal.throwIfAborted()
    const startedAt = monotonicMs()
    const response = await fetch(`${stage.baseUrls[0]}${path(row)}`, {
      headers: { authorization: project.authorization },
    })
    const body = (await response.json()) as Record<string, unknown>
    const tookMs = monotonicMs() - startedAt
    if (response.status !== 200) throw new Error(`${path(row)} was answered ${response.status}.`)
    readings += 1
    return {
      tookMs,
      ids: (body[plural] as { id: string }[]).map(({ id }) => id),
      totalCount: Number(body.total_count),
      isCapped: body.total_count_capped === true,
    }
  }

  const measureOnce = async (): Promise<Repeat> => {
    const repeat: Repeat = {}
    for (const list of LISTS) {
      const took = { small: [] as number[], large: [] as number[] }
      for (let index = 0; index < (quick ? READINGS_QUICK : READINGS); index += 1) {
        // Neither is always the first.
        const order = index % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)
        for (const size of order) took[size].push((await read(sides[size], list)).tookMs)
      }
      repeat[list.name] = { small: median(took.small), large: median(took.large) }
    }
    return repeat
  }

  say('Warming up')
  await measureOnce()
  const repeats: Repeat[] = []
  for (let index = 1; index <= times; index += 1) {
    repeats.push(await quietly.run(measureOnce))
    say(`${index} of ${times}`)
  }
  const audited = await auditTotals()
  return {
    figures: LISTS.map(({ name }) =>
      figureOf(
        { name, unit: 'ms', besideName: `${sizes.small} payments`, bar: { atMost: 1.2, stretch: 1.1 } },
        repeats.map((repeat) => {
          const { large: measured, small: beside } = repeat[name] as Repeat[string]
          return { measured, beside }
        }),
      ),
    ),
    audit: { payments: sizes.small + sizes.large, readings, totalsThatAreRight: audited },
    repeats,
  }

  /** @throws Error where a list without a filter tells another number than its table has. */
  async function auditTotals(): Promise<number> {
    let right = 0
    for (const side of Object.values(sides)) {
      for (const [list, table] of [
        ['invoices', 'invoice'],
        ['transactions', 'transaction'],
        ['cards', 'card'],
        ['events', 'event'],
      ] as const) {
        const asked = LISTS.find(({ name }) => name === list) as AskedList
        const { totalCount, isCapped } = await read(side, asked)
        const [row] = await em.execute<{ count: string }[]>(`select count(*) from ${table} where project_id = ?`, [
          side.project.projectId,
        ])
        const count = Number(row?.count)
        if (totalCount !== Math.min(count, TOTAL_COUNT_MAX) || isCapped !== count > TOTAL_COUNT_MAX)
          throw new Error(`The ${list} of ${side.name} are ${count}, and the list tells ${totalCount}.`)
        right += 1
      }
    }
    return right
  }
}
