/** Who is signed in, and the project and environment that the pages show. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Permission, Session, SessionProject } from '../../../../src/dashboard/contract.ts'
import { type Api, ApiError, createApi, type Method } from './api.ts'
import { hashOf, type RouteQuery } from './route.ts'

interface SessionAnswer {
  session: Session
}

export type SessionState =
  | { kind: 'loading' }
  | { kind: 'unreachable'; error: ApiError }
  /** `ended`: there was a session, which is over. */
  | { kind: 'signed-out'; ended: boolean }
  | { kind: 'signed-in'; session: Session }

export interface SessionControl {
  state: SessionState
  /** Asks the service again who is signed in. */
  refresh(): Promise<void>
  /** Asks for something that needs no project. */
  ask<Answer>(method: Method, address: string, body?: unknown): Promise<Answer>
  /** The same, of a call whose answer is the session from then on. */
  enter(method: Method, address: string, body?: unknown): Promise<void>
  /** The same, of a call whose answer tells more. */
  enterWith<Answer extends SessionAnswer>(method: Method, address: string, body?: unknown): Promise<Answer>
  signOut(options?: { everywhere?: boolean }): Promise<void>
  /** For pages that were told that the session is over. */
  sessionEnded(): void
}

const SessionContext = createContext<SessionControl | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SessionState>({ kind: 'loading' })
  const csrfToken = state.kind === 'signed-in' ? state.session.csrf_token : null
  const api = useMemo(() => createApi({ projectId: null, csrfToken }), [csrfToken])

  const refresh = useCallback(async () => {
    try {
      const { session } = await createApi({ projectId: null, csrfToken: null }).get<SessionAnswer>('/dashboard/session')
      setState({ kind: 'signed-in', session })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setState(error.status === 401 ? { kind: 'signed-out', ended: false } : { kind: 'unreachable', error })
    }
  }, [])
  useEffect(() => void refresh(), [refresh])

  const control = useMemo<SessionControl>(() => {
    const ask = <Answer,>(method: Method, address: string, body?: unknown) =>
      method === 'GET' ? api.get<Answer>(address) : api.send<Answer>(method, address, { body })
    async function enterWith<Answer extends SessionAnswer>(method: Method, address: string, body?: unknown) {
      const answer = await ask<Answer>(method, address, body)
      setState({ kind: 'signed-in', session: answer.session })
      return answer
    }
    return {
      state,
      refresh,
      ask,
      enter: async (method, address, body) => void (await enterWith(method, address, body)),
      enterWith,
      async signOut({ everywhere = false } = {}) {
        try {
          await api.send('DELETE', everywhere ? '/dashboard/sessions' : '/dashboard/session')
          setState({ kind: 'signed-out', ended: false })
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          // The session may be there still, so nobody is told that it is over.
          setState(error.endsSession ? { kind: 'signed-out', ended: true } : { kind: 'unreachable', error })
        }
      },
      sessionEnded: () => setState({ kind: 'signed-out', ended: true }),
    }
  }, [state, api, refresh])
  return <SessionContext value={control}>{children}</SessionContext>
}

export function useSession(): SessionControl {
  const control = useContext(SessionContext)
  if (control === null) throw new Error('useSession needs a SessionProvider around it.')
  return control
}

export interface ProjectView {
  session: Session
  project: SessionProject
  api: Api
  /** Whether the role of the person has a permission of the REST interface here. */
  can(permission: Permission): boolean
  /** The address of a page of this project and environment. */
  href(path: readonly string[], query?: RouteQuery): string
}

const ProjectContext = createContext<ProjectView | null>(null)

/** Everything inside is about one project in one environment. */
export function ProjectProvider({
  session,
  project,
  children,
}: {
  session: Session
  project: SessionProject
  children: ReactNode
}) {
  const { sessionEnded } = useSession()
  const answered = useIdleEnd(session.idle_seconds, sessionEnded)
  const view = useMemo<ProjectView>(
    () => ({
      session,
      project,
      api: createApi({ projectId: project.id, csrfToken: session.csrf_token }, { answered, ended: sessionEnded }),
      can: (permission) => project.permissions.includes(permission),
      href: (path, query) => hashOf(project.id, path, query),
    }),
    [session, project, answered, sessionEnded],
  )
  return <ProjectContext value={view}>{children}</ProjectContext>
}

const IDLE_CHECK_MS = 10_000

/**
 * Ends the session on the page as soon as it is over at the service, so that nobody else finds payments on the screen.
 *
 * @returns what is called whenever the service has answered
 */
function useIdleEnd(idleSeconds: number, end: () => void): () => void {
  const answeredAt = useRef(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      if (Date.now() - answeredAt.current > idleSeconds * 1_000) end()
    }, IDLE_CHECK_MS)
    return () => clearInterval(timer)
  }, [idleSeconds, end])
  return useCallback(() => {
    answeredAt.current = Date.now()
  }, [])
}

export function useProject(): ProjectView {
  const view = useContext(ProjectContext)
  if (view === null) throw new Error('useProject needs a ProjectProvider around it.')
  return view
}
