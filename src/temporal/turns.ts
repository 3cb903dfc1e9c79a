import { setTimeout as sleep } from 'node:timers/promises'
import { createFairShare, createLine, type Release } from '../fair-share.ts'
import type { Waits } from '../waits.ts'
import type { PaymentClient } from './client.ts'

/**
 * Commands of one process that are sent and have not begun, of all projects; what waits for its gateway has begun. A process
 * that begins 150 a second, each within 50 ms, has 8 of them at a time, so these keep every machine busy. More would wait at
 * Temporal and in workers, in the way of other projects, and take more work there: without a free slot no start is eager.
 */
const NOT_BEGUN_MAX = 16

/**
 * Of the turns that others leave. Eight commands at work keep a small machine busy, so one project alone has as many. Whoever
 * asks beside them waits for the machine: for as long as several projects ask, each has half as many, and the others
 * authorize and capture in 200 ms in place of 400 (docs/performance.md).
 */
const PART = { alone: 1 / 2, besideOthers: 1 / 4 }
const SEVERAL_ASK_MS = 5_000

/** How often those that are sent are looked for in the record while others wait for their turns. */
const LOOK_MS = 50

interface Sent {
  invoiceId: string
  endTurn: Release
  hasBegun: boolean
}

interface TurnDeps {
  /** Which of these commands have begun, by the ids of their operations. */
  findBegun(operationIds: readonly string[]): Promise<readonly string[]>
  waits: Pick<Waits, 'answerMs'>
}

/**
 * The same client, which sends few commands at once, project by project, and those of a project's clients apart: the others
 * wait here, where waiting costs nothing, for one before them to begin or to be answered. Turn and answer have the time of the
 * answer together. A command that does not get its turn in it is not sent, and has no answer.
 */
export function takingTurns<Rows>(client: PaymentClient<Rows>, { findBegun, waits }: TurnDeps): PaymentClient<Rows> {
  const part = createPart()
  const line = createLine({ permits: createFairShare(NOT_BEGUN_MAX, part.now), waitMs: waits.answerMs })
  /** By the ids of their operations. */
  const sent = new Map<string, Sent>()
  let standing = 0
  let isLooking = false

  async function takeTurn(who: string): Promise<Release | null> {
    const free = line.tryAcquire(who)
    if (free !== null) return free
    standing += 1
    void look()
    try {
      return await line.acquire(who)
    } finally {
      standing -= 1
    }
  }

  /** Ends the turns of what has begun, for as long as somebody stands in line. */
  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (standing > 0) {
      await sleep(LOOK_MS, undefined, { ref: false })
      const notBegun = [...sent].filter(([, { hasBegun }]) => !hasBegun).map(([operationId]) => operationId)
      // Without the database nothing begins.
      for (const operationId of await findBegun(notBegun).catch(() => [])) begin(operationId)
    }
    isLooking = false
  }

  function begin(operationId: string): void {
    const command = sent.get(operationId)
    if (command === undefined) return
    command.hasBegun = true
    command.endTurn()
  }

  /** Another command of a payment waits behind that one in its workflow, and takes nobody's place there. */
  const isUnderWay = (invoiceId: string) => [...sent.values()].some((other) => other.invoiceId === invoiceId)

  return {
    ...client,
    async send(payment, command, waitMs = waits.answerMs) {
      const askedAt = performance.now()
      const { environment, projectId, invoiceId } = payment
      const project = `${environment} ${projectId}`
      part.asks(project)
      const endTurn = await takeTurn(`${command.actor} ${project}`)
      if (endTurn === null) return 'no-answer'
      if (isUnderWay(invoiceId)) endTurn()
      sent.set(command.operationId, { invoiceId, endTurn, hasBegun: false })
      try {
        return await client.send(payment, command, waitMs - (performance.now() - askedAt))
      } finally {
        sent.delete(command.operationId)
        endTurn()
      }
    },
  }
}

/** How large the part of each project is, by who has asked lately. */
function createPart() {
  let last = { project: '', at: Number.NEGATIVE_INFINITY }
  let severalAt = Number.NEGATIVE_INFINITY
  return {
    asks(project: string): void {
      const at = performance.now()
      if (project !== last.project && at - last.at < SEVERAL_ASK_MS) severalAt = at
      last = { project, at }
    },
    now: () => (performance.now() - severalAt < SEVERAL_ASK_MS ? PART.besideOthers : PART.alone),
  }
}
