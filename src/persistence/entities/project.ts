import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** A merchant's project: owner of everything else, in both environments. */
export const ProjectEntity = defineEntity({
  name: 'Project',
  tableName: 'project',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    createdAt: p.datetime(3),
  },
})

export type ProjectRow = InferEntity<typeof ProjectEntity>
