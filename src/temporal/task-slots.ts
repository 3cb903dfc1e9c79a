import type { CustomSlotSupplier, SlotPermit, WorkflowSlotInfo } from '@temporalio/worker'

/**
 * A payment waits for its gateway inside a workflow task, and holds its slot and that of a local activity for up to 15 s.
 * Of the 400, one gateway takes 200 at most, and one account at it 100 (the limits in `src/gateways/guard`): four accounts
 * that hang, or two gateways as a whole, until their circuits open after those 15 s. With the 40 of the SDK's default, three
 * payments a second to a gateway that hangs would stop everybody's. A slot that waits costs some kilobytes. Look-ups are
 * activities of their own, of which one gateway takes 50.
 */
export const PAYMENT_SLOTS = { workflowTasks: 400, localActivities: 400, activities: 200 }

/**
 * How many workflow tasks of payments are worked on at once, with the ten polls of each environment, which hold a slot while
 * they wait for a task. A thousand captures that are due in one instant would take all slots otherwise, share two cores and
 * some twenty connections among them, and all end late: later than the 10 s that a workflow task has, so that much of the
 * work is done again. Measured with 400 captures due at once on two busy cores: 4.6 workflow tasks each and 70 s with 400
 * slots; 2.6 and 22 s with these.
 */
const WORKED_ON_MAX = 80

/** Slots for workflow tasks, of which those count less that wait for a gateway. */
export interface TaskSlots {
  supplier: CustomSlotSupplier<WorkflowSlotInfo>
  /** Lets another task work while the one that calls this waits for somebody else's answer. */
  whileWaiting<Result>(wait: () => Promise<Result>): Promise<Result>
}

/**
 * Slots that a gateway which hangs cannot use up, nor a crowd of due captures: so many tasks work at once, in the order in
 * which they asked, and many more may wait for their gateways beside them.
 *
 * @param slotsMax all there are, those of tasks that wait included.
 * @param workedOnMax those of tasks that work. Both are fewer for tests.
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
        // Nobody is in line while there is room.
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
