import { expect, test } from '@jest/globals'
import { interfaceForFile } from '../../http/interface.ts'

const api = interfaceForFile()

test.each(['', 'test-'])('a merchant reads its own project by %sproj_…', async (prefix) => {
  const { projectId, client } = api.merchant
  expect((await client.get(`/projects/${prefix}${projectId}`)).body).toEqual({
    success: true,
    project: {
      id: projectId,
      name: expect.any(String),
      default_currency: 'USD',
      sandbox: true,
      created_at: expect.any(String),
    },
  })
})

test('no other project is there for it, whether it exists or not', async () => {
  const { projectId } = await api.makeMerchant({ sandbox: true })
  for (const id of [projectId, 'proj_nobody', 'test-', `${api.merchant.projectId}x`])
    expect(await api.merchant.client.get(`/projects/${id}`)).toMatchObject({
      status: 404,
      body: { error_type: 'resource.project.not-found' },
    })
})
