import { beforeAll, describe, expect, test } from '@jest/globals'
import { stringify } from 'yaml'
import { saySkipped } from '../../gateways/skipped.ts'
import { checkRendered } from './check-rendered.ts'
import { type Helm, openHelm } from './helm.ts'
import { type CheckSchemas, openKubernetesSchemas } from './kubernetes-schemas.ts'
import { EVERYTHING, LEAST, WRONG } from './values.ts'

const opened = await openHelm()
if (opened === null) saySkipped('the rendered chart', 'there is no helm, and no Python with pip that could install it')
const describeOrSkip = opened === null ? describe.skip : describe

describeOrSkip('the rendered chart', () => {
  const helm = opened as Helm
  let checkSchemas: CheckSchemas | null

  beforeAll(async () => {
    checkSchemas = await openKubernetesSchemas()
    if (checkSchemas === null)
      saySkipped('the schemas of Kubernetes', 'there is no Python 3.11 or later with venv and pip')
  })

  test.each([
    ['what has no default', LEAST],
    ['every switch on', EVERYTHING],
  ])('with %s is linted, has what production needs, and fits the schemas of Kubernetes', async (_, values) => {
    await helm.lint(values)
    const { objects, text } = await helm.render(values)
    checkRendered(objects)
    await checkSchemas?.(text)
  })

  test.each(WRONG)('is refused with $why', async ({ values }) => {
    await expect(helm.render(values)).rejects.toThrow()
  })

  test('fits schemas that find a planted fault', async () => {
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'planted' } }
    await checkSchemas?.(stringify({ ...budget, spec: { maxUnavailable: 1 } }))
    if (checkSchemas !== null)
      await expect(checkSchemas(stringify({ ...budget, spec: { maxUnavailible: 1 } }))).rejects.toThrow()
  })
})
