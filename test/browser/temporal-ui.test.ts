import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { describeInBrowser } from '../support/chromium.ts'
import { launch } from '../support/find-chromium.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { server } from '../support/servers.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS } from '../support/story.ts'

let browser: Browser
let page: Page
let uiUrl: string

/** What a person of support reads, page by page, as docs/support.md shows it. */
describeInBrowser('a person of support', (executable) => {
  const stack = stackForFile()
  const receiver = receiverForFile()
  const story = createStory(stack)

  beforeAll(async () => {
    uiUrl = (await server('temporal')).uiUrl
    browser = await launch(executable)
    page = await browser.newPage({ viewport: { width: 1400, height: 980 }, locale: 'en-GB', timezoneId: 'UTC' })
  })
  afterAll(() => browser?.close())

  /** Opens a tab of a run, the current one unless told otherwise. */
  const open = async (
    workflowId: string,
    tab: 'timeline' | 'history' | 'user-metadata',
    runId?: string,
  ): Promise<void> => {
    const run = runId ?? (await stack.temporal.workflow.getHandle(workflowId).describe()).runId
    await page.goto(`${uiUrl}/namespaces/sandbox/workflows/${workflowId}/${run}/${tab}`)
  }
  const details = async (workflowId: string): Promise<FrameLocator> => {
    await open(workflowId, 'user-metadata')
    // The first frame is the summary.
    return page.frameLocator('iframe >> nth=-1')
  }
  const textOf = (frame: FrameLocator) => frame.locator('main').innerText()

  test('sees of a captured payment what was captured and released, on the first page of its run', async () => {
    const { invoiceId } = await story.pay({ invoice: { amount: '34.00', order_id: '1001' } })
    await story.post(invoiceId, 'capture', { capture_amount: '10.00' })
    await stack.waitFor(() => stack.isClosed(invoiceId))
    await open(`payment-${invoiceId}`, 'timeline')
    await page.getByText('captured EUR 10.00 of EUR 34.00, EUR 24.00 released').first().waitFor()
    await open(`payment-${invoiceId}`, 'history')
    // The page cuts what is longer than sixty characters.
    await page.getByText('{"summary":"captured EUR 10.00 of EUR 34.00, EUR 24.00').first().waitFor()
  })

  test('sees of a waiting payment what it waits for', async () => {
    const at = new Date(Date.now() + 2 * DAY_MS)
    const { invoiceId } = await story.pay({
      invoice: { amount: '34.00', order_id: '1002' },
      auto_capture_at: at.toISOString(),
      capture_amount: '20.00',
    })
    const frame = await details(`payment-${invoiceId}`)
    await frame.getByText('authorized: EUR 34.00 authorized, nothing captured').waitFor()
    const instant = at.toISOString().slice(0, 19).replace('T', ' ')
    expect(await textOf(frame)).toContain(`Next: captures EUR 20.00 by itself at ${instant} UTC.`)
  })

  test('sees of a refunded payment what was refunded, and comes from there to the run before', async () => {
    const { invoiceId } = await story.pay({ authorize_only: false, invoice: { order_id: '1004' } })
    await stack.waitFor(() => stack.isClosed(invoiceId))
    const { runId } = await stack.temporal.workflow.getHandle(`payment-${invoiceId}`).describe()
    await story.post(invoiceId, 'refunds', { amount: '9.00' })
    await stack.waitFor(() => stack.isClosed(invoiceId))
    const frame = await details(`payment-${invoiceId}`)
    await frame.getByText('Last step: refunded EUR 9.00 of EUR 29.00.').waitFor()
    const [before] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: `the run before, ${runId}` }).click(),
    ])
    await before.getByText('captured EUR 29.00 of EUR 29.00').first().waitFor()
    expect(before.url()).toContain(`/namespaces/sandbox/workflows/payment-${invoiceId}/${runId}`)
    await before.close()
  })

  test('sees of a webhook that failed what was answered, how often, and when it is tried again', async () => {
    receiver.answerWith(503)
    await stack.post('/webhook-endpoints', { url: receiver.url })
    await story.pay()
    const [first] = await receiver.waitForCount(3)
    const { event_id: eventId } = JSON.parse(first?.body ?? '{}')
    const frame = await details(`webhook-${eventId}`)
    await frame.getByText('Delivered to 0 of 1.').waitFor()
    expect(await textOf(frame)).toMatch(
      /not delivered by \d+ attempts?, the last: HTTP 503; retry \d+ of 12 at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./,
    )
    receiver.answerWith(200)
  })
})
