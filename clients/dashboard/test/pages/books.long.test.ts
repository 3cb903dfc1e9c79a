import { beforeAll, expect, test } from '@jest/globals'
import { ReconciliationEntity } from '../../../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../../../src/persistence/entities/reconciliation-difference.ts'
import { DIFFERENCE, RECONCILIATION, rowWriter } from '../../../../test/http/row-writer.ts'
import { takePicture } from '../../../../test/support/chromium.ts'
import {
  barriers,
  button,
  describeDashboard,
  dialog,
  openPage,
  overflowing,
  resize,
  row,
  section,
  seen,
  signInAs,
  stage,
  textbox,
} from './stage.ts'

const FAILURE = 'The account has no secret key.'
let invoiceId: string

/** Gone from the list that is read. */
const gone = (text: string) => row(text).waitFor({ state: 'detached' })

const differenceOf = async (id: string) =>
  (await stage.stack.get(`/reconciliation-differences/${id}`)).body.reconciliation_difference

describeDashboard('the books in the dashboard', () => {
  beforeAll(async () => {
    const { stack } = stage
    const rows = await rowWriter(stack, { projectId: stack.project.id })
    const account = { gatewayConfigurationId: rows.gatewayConfigurationId }
    const paid = await stack.payInvoice()
    invoiceId = paid.invoiceId
    await rows.insert(ReconciliationEntity, { ...RECONCILIATION, ...account, id: 'rec_1', differencesCount: 3 })
    await rows.insert(ReconciliationEntity, {
      ...RECONCILIATION,
      ...account,
      id: 'rec_2',
      day: '2026-11-21',
      status: 'waiting',
      isListed: false,
      linesCount: 0,
      differencesCount: 0,
      judgedUntil: null,
      completedAt: null,
      failure: FAILURE,
      nextTryAt: new Date(Date.now() + 3 * 3_600_000 + 60_000),
    })
    const difference = (id: string, fields: object) =>
      rows.insert(ReconciliationDifferenceEntity, {
        ...DIFFERENCE,
        ...account,
        reconciliationId: 'rec_1',
        lineId: id,
        id,
        ...fields,
      })
    await difference('rec_diff_1', { transactionId: paid.transaction.id, gatewayReference: 'first' })
    await difference('rec_diff_2', {
      ourState: null,
      ourCurrency: null,
      kind: 'missing-in-books',
      gatewayReference: 'second',
    })
    await difference('rec_diff_3', { kind: 'twice', gatewayReference: 'third' })
  })

  test('differences are said in words, and axe finds nothing, on a phone', async () => {
    await signInAs('owner')
    await resize('phone')
    await openPage('/books', 'Books')
    await seen('The gateway booked a capture of €28.99, our books have €29.00.', row('first'))
    await seen('The gateway booked a capture of €28.99, our books have none.', row('second'))
    await seen('20 Nov 2026', section('Reconciliations'))
    await seen(FAILURE, section('Reconciliations'))
    await seen('Next try in 3 hours', section('Reconciliations'))
    expect([await overflowing(), await barriers('main')]).toEqual([[], []])
    await takePicture(stage.page, 'dashboard-books-dark', { fullPage: true })
    await button('Resolve', row('first')).click()
    expect(await barriers('[role=dialog]')).toEqual([])
    await resize('wide')
    await takePicture(stage.page, 'dashboard-books-resolve')
    await stage.page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await overflowing()).toEqual([])
    await takePicture(stage.page, 'dashboard-books-light', { fullPage: true })
  })

  test('where nothing was compared it says so, and what makes a comparison; where something was, that nothing was found', async () => {
    await signInAs('owner')
    await openPage('/books?status=resolved', 'Books')
    await seen('No differences', section('Differences'))
    await stage.page.locator('.environment-switch').getByText('Live').click()
    await seen('No reconciliations yet', section('Reconciliations'))
    await seen('Nothing was compared yet', section('Differences'))
    await seen(/^An hour after midnight in UTC, each gateway/, section('Differences'))
  })

  test('an owner says why nothing is left to be done about a difference, and who has said so is shown', async () => {
    const { id } = await signInAs('owner')
    await openPage('/books?status=resolved', 'Books')
    await seen('No differences', section('Differences'))
    await section('Differences').getByText('Open', { exact: true }).first().click()
    await button('Resolve', row('first')).click()
    await textbox('Reason').fill('   ')
    expect(await button('Resolve for good').isDisabled()).toBe(true)
    await textbox('Reason').fill('Refunded at the gateway by hand.')
    await button('Resolve for good').click()
    await gone('first')
    await dialog().waitFor({ state: 'detached' })
    expect(await differenceOf('rec_diff_1')).toMatchObject({
      status: 'resolved',
      resolved_by: `person:${id}`,
      resolution: 'Refunded at the gateway by hand.',
    })
    await section('Differences').getByText('Resolved', { exact: true }).first().click()
    await seen('Refunded at the gateway by hand.', section('Differences'))
    expect(await row('second').count()).toBe(0)
    await row('first').getByRole('link', { name: 'Open' }).click()
    await stage.page.getByRole('heading', { level: 1, name: /€29\.00/ }).waitFor()
    expect(stage.page.url()).toContain(`/payments/${invoiceId}`)
  })

  test('a difference that somebody else has resolved meanwhile is told as that, and leaves the list', async () => {
    const { stack } = stage
    await signInAs('owner')
    await openPage('/books', 'Books')
    await button('Resolve', row('second')).click()
    await stack.post('/reconciliation-differences/rec_diff_2/resolve', { reason: 'By the server of the shop.' })
    await textbox('Reason').fill('By a person.')
    await button('Resolve for good').click()
    await seen(/The difference was resolved by api_key:/, dialog())
    await gone('second')
    expect(await differenceOf('rec_diff_2')).toMatchObject({ resolution: 'By the server of the shop.' })
  })

  test('support sees every difference and resolves none', async () => {
    await signInAs('support')
    await openPage('/books?status=all', 'Books')
    await row('first').waitFor()
    await row('third').waitFor()
    expect(await button('Resolve').count()).toBe(0)
    await button('Export as CSV').waitFor()
  })
})
