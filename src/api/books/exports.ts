import { Readable } from 'node:stream'
import { type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { neverCompressed } from '../../http/middleware/compression.ts'
import { EXPORT_TABLES, type ExportName, type ExportTable } from '../../persistence/queries/exports/export-tables.ts'
import { type ExportRow, readExport } from '../../persistence/queries/exports/read-export.ts'
import { csvHeader, csvRows } from './csv.ts'
import { readExportRange } from './export-range.ts'

/** A table as CSV, read as fast as the caller takes it. A file that ends early has lost its connection: it is not whole. */
export function exportCsv({ orm }: Pick<AppDeps, 'orm'>, name: ExportName): ApiMiddleware {
  const table: ExportTable = EXPORT_TABLES[name]
  return async (ctx) => {
    const range = readExportRange(ctx)
    const pages = readExport(orm, scopeOf(ctx), table, range)
    // A database that does not answer is told before the file begins.
    const first = await pages.next()
    ctx.type = 'text/csv; charset=utf-8; header=present'
    ctx.attachment(`${name}-${dayOf(range.from)}-${dayOf(range.until)}.csv`)
    // Behind a compressor an answer that breaks off would end as if it were whole.
    neverCompressed(ctx)
    ctx.body = Readable.from(textsOf(table, first, pages), { objectMode: false })
  }
}

const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

async function* textsOf(
  table: ExportTable,
  first: IteratorResult<ExportRow[]>,
  pages: AsyncGenerator<ExportRow[]>,
): AsyncGenerator<string> {
  yield csvHeader(table.columns)
  if (first.done === true) return
  yield csvRows(table.columns, first.value)
  for await (const rows of pages) yield csvRows(table.columns, rows)
}
