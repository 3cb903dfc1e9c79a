import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser, Locator, Page } from 'playwright-core'
import { systemClock } from '../../src/clock.ts'
import { createCodecApp } from '../../src/codec/app.ts'
import type { CodecRole } from '../../src/config.ts'
import { captureLog } from '../support/captured-log.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { launch } from '../support/find-chromium.ts'
import { openForFile } from '../support/for-file.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { listen } from '../support/listen.ts'
import { server } from '../support/servers.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'

const TOKENS = { developer: randomBytes(32).toString('hex'), support: randomBytes(32).toString('hex') }

let browser: Browser
let uiUrl: string
/** The path of the run of a captured payment. */
let run: string

/** What people do by docs/runbook.md, "Read an encrypted history", and what they then see. */
describeInBrowser('who reads an encrypted history in the UI of Temporal', (executable) => {
  const stack = stackForFile({ mode: 'together', encrypts: true })
  const codec = openForFile(async () => {
    uiUrl = (await server('temporal')).uiUrl
    const { logger } = captureLog()
    const app = createCodecApp({
      keys: TEST_KEYS,
      clock: systemClock,
      tokens: TOKENS,
      uiOrigins: [new URL(uiUrl).origin],
      logger,
    })
    return listen(app.callback())
  })

  beforeAll(async () => {
    browser = await launch(executable)

    const story = createStory(stack)
    const { invoiceId } = await story.pay({ invoice: { amount: '34.00', order_id: '1001' } })
    await story.post(invoiceId, 'capture', { capture_amount: '10.00' })
    await stack.waitFor(() => stack.isClosed(invoiceId))
    const workflowId = `payment-${invoiceId}`
    const { runId } = await stack.temporal.workflow.getHandle(workflowId).describe()
    run = `${uiUrl}/namespaces/sandbox/workflows/${workflowId}/${runId}`
  })
  afterAll(() => browser?.close())

  /** A browser of its own, which knows the token of the role where there is one, and the codec server. */
  async function openUi(role?: CodecRole): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 980 } })
    const page = await context.newPage()
    if (role !== undefined) {
      // As when a person enters it where the browser asks for it.
      await page.goto(Object.assign(new URL(codec.url), { username: 'ada', password: TOKENS[role] }).href)
      await page.getByText(`You are signed in, with the role ${role}.`).waitFor()
    }
    await page.goto(`${uiUrl}/namespaces/sandbox/workflows`)
    await page.getByTestId('data-encoder-status').click()
    await page.getByTestId('use-local-endpoint-input').click()
    await page.locator('#data-encoder-endpoint-input').fill(codec.url)
    await page.locator('label').filter({ hasText: 'Include cross-origin credentials' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    return page
  }

  /** Input and result of the run, on the page with its history, when that shows `sign`. */
  async function inputAndResult(page: Page, sign: (page: Page) => Locator): Promise<string> {
    await page.goto(`${run}/history`)
    await page.getByText('Workflow Execution Completed').first().waitFor()
    await sign(page).first().waitFor()
    const texts = await page.locator('.cm-content').allInnerTexts()
    return texts.join('\n')
  }
  const decrypted = (page: Page) => page.locator('.cm-content').filter({ hasText: '"signature"' })

  test('sees as a developer all of it, after signing in at the codec server', async () => {
    const page = await openUi('developer')
    await page.goto(`${run}/timeline`)
    await page.getByText('captured EUR 10.00 of EUR 34.00, EUR 24.00 released').first().waitFor()
    const shown = await inputAndResult(page, decrypted)
    expect(shown).toContain('"summary": "captured EUR 10.00 of EUR 34.00, EUR 24.00 released"')
    expect(shown).toMatch(/"signature": "n1\.[\w-]{40,}"/)
  })

  test('sees as support what became of the payment, and nothing that proves or opens something', async () => {
    const page = await openUi('support')
    const shown = await inputAndResult(page, decrypted)
    expect(shown).toContain('"summary": "captured EUR 10.00 of EUR 34.00, EUR 24.00 released"')
    expect(shown).toContain('"signature": "[redacted]"')
    await page.goto(`${run}/user-metadata`)
    // The first frame is the summary.
    const details = page.frameLocator('iframe >> nth=-1')
    await details.getByText('completed: EUR 10.00 of EUR 34.00 captured, EUR 24.00 released').waitFor()
  })

  test('sees ciphertext only without a token', async () => {
    const page = await openUi()
    const refused = () => page.getByTestId('data-encoder-status-error')
    expect(await inputAndResult(page, refused)).not.toMatch(/EUR \d|"kind"|"signature"/)
  })
})
