import { expect, test } from '@jest/globals'
import { WebhookEndpointEntity } from '../../src/persistence/entities/webhook-endpoint.ts'
import { countAlone } from '../../src/persistence/queries/kept-rows.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEndpoint, seedProject } from '../webhooks/endpoint-seed.ts'

const database = databaseForFile()

test('the endpoints of a project in an environment are counted without those that are deleted, and with no others', async () => {
  const [projectId, other] = [await seedProject(database.orm), await seedProject(database.orm)]
  const url = 'https://shop.example/webhooks'
  await seedEndpoint(database.orm, { projectId, url })
  await seedEndpoint(database.orm, { projectId, url, enabled: false, disabledReason: 'gone', disabledAt: new Date() })
  await seedEndpoint(database.orm, { projectId, url, deletedAt: new Date() })
  for (let count = 0; count < 3; count += 1) await seedEndpoint(database.orm, { projectId, url, sandbox: false })
  for (let count = 0; count < 4; count += 1) await seedEndpoint(database.orm, { projectId: other, url })
  const count = (scope: { projectId: string; sandbox: boolean }) =>
    database.orm.em.fork().transactional((em) => countAlone(em, WebhookEndpointEntity, scope))
  expect(await count({ projectId, sandbox: true })).toBe(2)
  expect(await count({ projectId, sandbox: false })).toBe(3)
  expect(await count({ projectId: other, sandbox: true })).toBe(4)
  expect(await count({ projectId: other, sandbox: false })).toBe(0)
})
