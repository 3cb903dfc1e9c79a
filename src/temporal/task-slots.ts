import type { CustomSlotSupplier, SlotPermit, WorkflowSlotInfo } from '@temporalio/worker'

/**
 * A payment waits for its gateway inside a workflow task and holds its slot and that of a local activity, for up to 15 s.
 * Of 400 slots one gateway takes at most 200 and one account 100 (`src/gateways/guard`). So four hanging accounts, or two
 * hanging gateways, can fill the slots until their circuits open after those 15 s. With the SDK's default of 40, three
 * payments a second to a hanging gateway would stop all payments. A waiting slot costs some kilobytes. Look-ups are
 * activities of their own, of which one gateway takes 50.
 */
export const PAYMENT_SLOTS = { workflowTasks: 400, localActivities: 400, activities: 200 }

/**
 * How many workflow tasks of payments work at once, including the ten polls of each environment, which hold a slot while
 * they wait for a task. Otherwise a thousand captures due in one instant would take all slots and share two cores and some
 * twenty connections. All would end later than the 10 s of a workflow task, and much work would be repeated. Measured with
 * 400 captures due at once on two busy cores: 4.6 workflow tasks each and 70 s with 400 slots; 2.6 and 22 s with these.
 */
const WORKED_ON_MAX = 80

/** Workflow task slots; those that wait for a gateway do not count as working. */
export interface TaskSlots {
  supplier: CustomSlotSupplier<WorkflowSlotInfo>
  /** Lets another task work while the caller waits for an outside answer. */
  whileWaiting<Result>(wait: () => Promise<Result>): Promise<Result>
}

/**
 * Slots that neither a hanging gateway nor many due captures can use up: a limited number of tasks works at once, in the
 * order of their requests, while many more may wait for gateways.
 *
 * @param slotsMax all slots, including those of waiting tasks.
 * @param workedOnMax slots of working tasks. Tests use smaller numbers for both.
 */
export function createTaskSlots({
  slotsMax = PAYMENT_SLOTS.workflowTasks,
  workedOnMax = WORKED_ON_MAX,
} = {}): TaskSlots {
  const line: ((permit: SlotPermit) => void)[] = []
  let reserved = 0
  let waiting = 0

  const hasRoom = () => reserved < slotsMax && reserved - waiting < workedOnMax

  function reserve(): SlotPermit {
    reserved += 1
    return {}
  }

  function admit(): void {
    while (hasRoom()) {
      const next = line.shift()
      if (next === undefined) return
      next(reserve())
    }
  }

  function standInLine(signal: AbortSignal): Promise<SlotPermit> {
    const { promise, resolve, reject } = Promise.withResolvers<SlotPermit>()
    const giveUp = () => {
      line.splice(line.indexOf(enter), 1)
      reject(signal.reason)
    }
    const enter = (permit: SlotPermit) => {
      signal.removeEventListener('abort', giveUp)
      resolve(permit)
    }
    line.push(enter)
    signal.addEventListener('abort', giveUp, { once: true })
    return promise
  }

  return {
    supplier: {
      type: 'custom',
      async reserveSlot(_, signal) {
        signal.throwIfAborted()
        // While there is room, no task waits.
        return hasRoom() ? reserve() : standInLine(signal)
      },
      tryReserveSlot: () => (hasRoom() ? reserve() : null),
      markSlotUsed: () => undefined,
      releaseSlot() {
        reserved -= 1
        admit()
      },
    },
    async whileWaiting(wait) {
      waiting += 1
      admit()
      try {
        return await wait()
      } finally {
        waiting -= 1
      }
    },
  }
}
