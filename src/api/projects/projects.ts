import { ApiError } from '../../http/api-error.ts'
import { type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { presentProject } from '../../objects/project.ts'
import { findProject } from '../../persistence/queries/projects/projects.ts'

/** The caller's own project, by its id with or without the `test-` of the sandbox; any other is unknown. */
export function retrieveProject({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    const scope = scopeOf(ctx)
    const isOwn = ctx.params.id?.replace(/^test-/, '') === scope.projectId
    const project = isOwn ? await findProject(orm.em.fork(), scope.projectId) : null
    if (project === null) throw new ApiError('resource.project.not-found')
    ctx.body = { success: true, project: presentProject(project, scope) }
  }
}
