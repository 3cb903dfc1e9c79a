import type { SettlementLine } from '../../../../domain/books.ts'
import type { ReconciliationRow } from '../../entities/reconciliation.ts'
import type { EntityManager } from '../../orm.ts'

/** A file has thousands, whose text would hold up process and database for half a second. */
const LINES_OF_STATEMENT = 500

type Run = Pick<ReconciliationRow, 'id' | 'projectId' | 'sandbox' | 'gatewayConfigurationId'>

/**
 * Stores lines of a gateway. One that was listed before is the same line as it stands now.
 *
 * @throws RangeError for an amount that is no whole number of minor units.
 */
export async function storeLines(em: EntityManager, run: Run, lines: readonly SettlementLine[]): Promise<void> {
  for (const { amountMinor } of lines)
    if (!Number.isSafeInteger(amountMinor) || amountMinor < 0)
      throw new RangeError(`Not an amount in minor units: ${amountMinor}`)
  for (let from = 0; from < lines.length; from += LINES_OF_STATEMENT)
    await storePart(em, run, lines.slice(from, from + LINES_OF_STATEMENT))
}

async function storePart(em: EntityManager, run: Run, lines: readonly SettlementLine[]): Promise<void> {
  // Of a line that stands twice the last one counts: a statement may write a row only once.
  const rows = [...new Map(lines.map((line) => [line.id, line])).values()].map((line) => ({
    ...line,
    bookedAt: new Date(line.bookedAt).toISOString(),
  }))
  await em.execute(
    `insert into settlement_line
            (gateway_configuration_id, id, project_id, sandbox, reconciliation_id, type, state, reference, gateway_reference,
             amount_minor, currency, booked_at)
     select ?, line.id, ?, ?, ?, line.type, line.state, line.reference, line."gatewayReference", line."amountMinor",
            line.currency, line."bookedAt"
       from jsonb_to_recordset(?::jsonb) as line (id text, type text, state text, reference text, "gatewayReference" text,
              "amountMinor" bigint, currency text, "bookedAt" timestamptz)
      order by line.id
     on conflict (gateway_configuration_id, id) do update
        set reconciliation_id = excluded.reconciliation_id, type = excluded.type, state = excluded.state,
            reference = excluded.reference, gateway_reference = excluded.gateway_reference,
            amount_minor = excluded.amount_minor, currency = excluded.currency, booked_at = excluded.booked_at`,
    [run.gatewayConfigurationId, run.projectId, run.sandbox, run.id, JSON.stringify(rows)],
  )
}

const COLUMNS = `id, type, state, reference, gateway_reference as "gatewayReference", amount_minor::float8 as "amountMinor", currency,
  booked_at as "bookedAt"`

/** A part of the lines of a run, in the order of their ids. */
export function findLinesOfRun(
  em: EntityManager,
  { id }: Pick<Run, 'id'>,
  { after, limit }: { after: string; limit: number },
): Promise<SettlementLine[]> {
  return readLines(em, 'reconciliation_id = ? and id > ? order by id limit ?', [id, after, limit])
}

/** A part of the lines that an account has booked in a time span, the oldest first. */
export function findBookedLines(
  em: EntityManager,
  { gatewayConfigurationId }: Pick<Run, 'gatewayConfigurationId'>,
  { from, until, after, limit }: { from: Date; until: Date; after: string; limit: number },
): Promise<SettlementLine[]> {
  return readLines(
    em,
    `gateway_configuration_id = ? and (booked_at, id) > (?::timestamptz, ?) and booked_at < ?
      order by booked_at, id limit ?`,
    [gatewayConfigurationId, from, after, until, limit],
  )
}

/** All lines that have one of these names. */
export function findNamedLines(
  em: EntityManager,
  { gatewayConfigurationId }: Pick<Run, 'gatewayConfigurationId'>,
  { ids = [], references, gatewayReferences }: { ids?: string[]; references: string[]; gatewayReferences: string[] },
): Promise<SettlementLine[]> {
  return readLines(
    em,
    `gateway_configuration_id = ?
      and (id = any(?::text[]) or reference = any(?::text[]) or gateway_reference = any(?::text[]))`,
    [gatewayConfigurationId, textArray(ids), textArray(references), textArray(gatewayReferences)],
  )
}

export async function countLines(em: EntityManager, { id }: Pick<Run, 'id'>): Promise<number> {
  const [counted] = await em.execute<{ lines: number }[]>(
    'select count(*)::integer as lines from settlement_line where reconciliation_id = ?',
    [id],
  )
  return counted?.lines ?? 0
}

/** A list in PostgreSQL's own form: MikroORM would write the values one by one. */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => JSON.stringify(value)).join()}}`
}

async function readLines(em: EntityManager, where: string, values: unknown[]): Promise<SettlementLine[]> {
  const rows = await em.execute<SettlementLine[]>(`select ${COLUMNS} from settlement_line where ${where}`, values)
  return rows.map((row) => ({ ...row, bookedAt: new Date(row.bookedAt).getTime() }))
}
