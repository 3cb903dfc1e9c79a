import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { isIdentifier } from '../../../domain/identifiers.ts'
import { type Credentials, clientOf, findCredentials, isSandbox } from './credentials/credentials.ts'
import { defineCommand } from './define-command.ts'
import { CannotError, UsageError } from './failures.ts'
import type { Io } from './io.ts'
import { type OutputOptions, show } from './output/show.ts'

interface OpenOptions extends OutputOptions {
  temporal?: boolean
}

export function addOpen(program: Command, io: Io): void {
  defineCommand(io, program, 'open [invoice]', {
    summary: 'Open the dashboard, a payment there, or its Temporal history',
    details: 'Prints the address as well. From a pipe, or with --json, it opens nothing.',
    examples: ['open', 'open iv_…', 'open iv_… --temporal'],
  })
    .option('--temporal', 'the history of the payment in the UI of Temporal')
    .action(async (invoiceId: string | undefined, options: OpenOptions) => {
      if (invoiceId !== undefined && !isIdentifier('invoice', invoiceId))
        throw new UsageError(`"${invoiceId}" is no id of an invoice: write ${io.command} open iv_….`)
      const credentials = await findCredentials(io)
      const url = options.temporal ? historyOf(credentials, invoiceId, io) : pageOf(credentials, invoiceId)
      // Ids have no fixed length, so that one that was cut short looks like any other.
      if (invoiceId !== undefined)
        await clientOf(io, credentials).invoices.retrieve(invoiceId, undefined, { signal: io.signal })
      show(io, options, { url }, () => url)
      if (io.stdout.isTTY && options.json !== true) browse(url)
    })
}

function pageOf({ apiUrl, projectId }: Credentials, invoiceId: string | undefined): string {
  const path = invoiceId === undefined ? [projectId] : [projectId, 'payments', invoiceId]
  return `${apiUrl.replace(/\/+$/, '')}/dashboard/#/${path.map(encodeURIComponent).join('/')}`
}

function historyOf(credentials: Credentials, invoiceId: string | undefined, { command }: Io): string {
  if (invoiceId === undefined) throw new UsageError(`Name the payment: ${command} open iv_… --temporal.`)
  const { temporalUiUrl } = credentials
  if (temporalUiUrl === null) {
    const page = pageOf(credentials, invoiceId)
    throw new CannotError(
      `The address of the Temporal UI is not known: set HOLDFAST_TEMPORAL_UI_URL, or follow the link on ${page}.`,
    )
  }
  const namespace = isSandbox(credentials) ? 'sandbox' : 'live'
  return `${temporalUiUrl}/namespaces/${namespace}/workflows/payment-${encodeURIComponent(invoiceId)}`
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' }

/** Where there is no browser, the address that was printed has to do. */
function browse(url: string): void {
  const opener = spawn(OPENERS[process.platform] ?? 'xdg-open', [url], { detached: true, stdio: 'ignore' })
  opener.on('error', () => undefined)
  opener.unref()
}
