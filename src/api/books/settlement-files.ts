import { createHash } from 'node:crypto'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { readSettlementFile } from '../../gateways/settlement-file-reader.ts'
import { recordCallersAct } from '../../http/acts.ts'
import { invalidState } from '../../http/api-error.ts'
import { scopeOf } from '../../http/context.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { invalidField, readInput } from '../../http/input/input.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentReconciliation } from '../../objects/reconciliation.ts'
import { GatewayConfigurationEntity } from '../../persistence/entities/gateway-configuration.ts'
import { lockKept } from '../../persistence/queries/kept-rows.ts'
import { storeLines } from '../../persistence/queries/reconciliations/lines.ts'
import { createFileReconciliation } from '../../persistence/queries/reconciliations/runs.ts'
import type { Change } from '../change.ts'
import { SETTLEMENT_FILE } from './settlement-file-input.ts'

/**
 * Takes a report of a gateway that is not asked for a list. Its lines are stored at once, and compared with our books within
 * a minute. The same report again is the same reconciliation.
 */
export async function handInSettlementFile({ deps, ctx, em }: Change) {
  const account = await foundIn(ctx, 'gatewayConfiguration', (scope, id) =>
    lockKept(em, GatewayConfigurationEntity, scope, id),
  )
  const { content } = readInput(SETTLEMENT_FILE, bodyOf(ctx))
  const reading = await readSettlementFile(account.gatewayName, content, account.settings)
  if (reading === null) throw invalidState(`No report is taken of the gateway ${account.gatewayName}.`)
  if (reading.kind === 'refused') throw invalidField('content', `cannot be read. ${reading.reason.slice(0, -1)}`)
  const { run, isNew } = await createFileReconciliation(em, {
    ...scopeOf(ctx),
    id: makeIdentifier('reconciliation', deps.randomBytes),
    gatewayConfigurationId: account.id,
    fileHash: createHash('sha256').update(content).digest('hex'),
    linesCount: reading.lines.length,
    now: deps.clock.now(),
  })
  if (isNew) {
    await storeLines(em, run, reading.lines)
    const facts = { reconciliation_id: run.id, gateway_configuration_id: account.id, lines: reading.lines.length }
    await recordCallersAct(ctx, em, 'settlement-file.handed-in', facts)
  }
  return { reconciliation: presentReconciliation(run) }
}
