import { beforeAll, describe, expect, test } from '@jest/globals'
import type { WorkflowBundleOption } from '@temporalio/worker'
import { createPaymentActivities, createWebhookActivities } from '../../activities/index.ts'
import { findCardData, readableHistory, TEST_CARD } from '../support/card-data.ts'
import { replayHistories } from '../support/replay.ts'
import { server } from '../support/servers.ts'
import { type HistoryJson, quietRuntime } from '../support/temporal.ts'
import { currentVersion, type Recording, readRecordings, recordingName } from './recordings.ts'
import { SCENARIOS } from './scenarios.ts'

const recordings = readRecordings()

/** Null where the history replays, otherwise what is wrong. */
async function replay(workflowBundle: WorkflowBundleOption, { name, history }: Recording): Promise<string | null> {
  for (const { error } of await replayHistories(workflowBundle, [{ workflowId: name, history }])) {
    return error === undefined ? null : String(error)
  }
  throw new Error(`${name} was not replayed.`)
}

function recordingOf(name: string): Recording {
  const found = recordings.find((recording) => recording.version === currentVersion() && recording.name === name)
  if (found === undefined) throw new Error(`There is no recording ${name} of version ${currentVersion()}.`)
  return found
}

describe('the recorded histories', () => {
  let workflowBundle: WorkflowBundleOption
  let errors: Map<string, Error | undefined>
  const idOf = ({ version, name }: Recording) => `${version} ${name}`

  beforeAll(async () => {
    quietRuntime()
    workflowBundle = await server('workflowBundle')
    // All by one worker, since each has to load the bundle.
    const given = recordings.map((recording) => ({ workflowId: idOf(recording), history: recording.history }))
    const replayed = await replayHistories(workflowBundle, given)
    errors = new Map(replayed.map(({ workflowId, error }) => [workflowId, error]))
  })

  test.each(recordings)('$version $name replays', (recording) => {
    expect([...errors.keys()]).toContain(idOf(recording))
    expect(errors.get(idOf(recording))).toBeUndefined()
  })

  test('include every scenario of this version', () => {
    const expected = Object.entries(SCENARIOS).flatMap(([scenario, { modes }]) =>
      modes.map((mode) => recordingName(scenario, mode)),
    )
    const recorded = recordings.filter(({ version }) => version === currentVersion()).map(({ name }) => name)
    expect(recorded).toEqual(expect.arrayContaining(expected))
  })

  test('include every activity that a workflow can ask for', () => {
    const text = recordings.map(({ history }) => readableHistory(history)).join('\n')
    const activities = [
      ...Object.keys(createPaymentActivities({} as never)),
      ...Object.keys(createWebhookActivities({} as never)),
    ]
    const isRecorded = (name: string) =>
      text.includes(`"activity_type":"${name}"`) || text.includes(`activityType: name: ${name}\n`)
    expect(activities.filter((name) => !isRecorded(name))).toEqual([])
  })

  test.each(recordings)('$version $name holds no card data', ({ history }) => {
    const secrets = { numbers: [TEST_CARD.number], cvcs: [TEST_CARD.cvc] }
    expect(findCardData(readableHistory(history), secrets)).toEqual([])
  })

  test('do not replay where an activity was another one', async () => {
    const payment = recordingOf('sale.together')
    expect(await replay(workflowBundle, withLocalActivities(payment, renameFirst))).toMatch(/Nondeterminism/)
    const webhook = recordingOf('webhook-exhausted.together')
    expect(await replay(workflowBundle, withFirstActivityRenamed(webhook))).toMatch(/Nondeterminism/)
  })

  test('do not replay where two activities came in another order', async () => {
    const payment = recordingOf('sale.together')
    expect(await replay(workflowBundle, withLocalActivities(payment, swapFirstTwo))).toMatch(/Nondeterminism/)
  })
})

type LocalActivity = Record<string, unknown> & { activity_type: string }

/** A local activity is a marker whose payload names the activity; `change` gets these payloads and gives new ones. */
function withLocalActivities(
  { history, ...recording }: Recording,
  change: (activities: LocalActivity[]) => LocalActivity[],
): Recording {
  const copy = structuredClone(history)
  const payloads = copy.events.filter(isLocalActivity).map((event) => markerPayload(event))
  const activities = payloads.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()) as LocalActivity)
  for (const [index, activity] of change(activities).entries()) {
    const payload = payloads[index]
    if (payload !== undefined) payload.data = Buffer.from(JSON.stringify(activity)).toString('base64')
  }
  return { ...recording, history: copy }
}

function renameFirst([first, ...others]: LocalActivity[]): LocalActivity[] {
  return first === undefined ? others : [{ ...first, activity_type: 'somethingElse' }, ...others]
}

function swapFirstTwo([first, second, ...others]: LocalActivity[]): LocalActivity[] {
  if (first === undefined || second === undefined) throw new Error('There are no two activities to swap.')
  const { activity_type: one } = first
  const { activity_type: other } = second
  return [{ ...first, activity_type: other }, { ...second, activity_type: one }, ...others]
}

function withFirstActivityRenamed({ history, ...recording }: Recording): Recording {
  const copy = structuredClone(history)
  const scheduled = copy.events.find(({ eventType }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')
  const attributes = scheduled?.activityTaskScheduledEventAttributes as { activityType: { name: string } }
  attributes.activityType.name = 'somethingElse'
  return { ...recording, history: copy }
}

type Event = HistoryJson['events'][number]
interface MarkerAttributes {
  markerName: string
  details: { data: { payloads: [{ data: string }] } }
}

function isLocalActivity(event: Event): boolean {
  return (event.markerRecordedEventAttributes as MarkerAttributes | undefined)?.markerName === 'core_local_activity'
}

function markerPayload(event: Event): { data: string } {
  return (event.markerRecordedEventAttributes as MarkerAttributes).details.data.payloads[0]
}
