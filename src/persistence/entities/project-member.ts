import { defineEntity, p } from '@mikro-orm/postgresql'
import type { Role } from '../../../domain/role.ts'

/** A person in a project, in both of its environments. */
export const ProjectMemberEntity = defineEntity({
  name: 'ProjectMember',
  tableName: 'project_member',
  properties: {
    projectId: p.string().primary(),
    personId: p.string().primary(),
    role: p.string().$type<Role>(),
    createdAt: p.datetime(3),
  },
})
