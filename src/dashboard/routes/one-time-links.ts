import { ApiError, invalidState, rateExceeded } from '../../http/api-error.ts'
import { networksOf } from '../../http/client-address.ts'
import type { ApiContext } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { signedInOf } from '../../http/people/authenticate-person.ts'
import { refuseOtherPages } from '../../http/people/own-pages.ts'
import { presentTimestamp } from '../../objects/values.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import {
  acceptInvitation,
  findInvitation,
  type Invitation,
  isInvitationExpired,
} from '../../persistence/queries/people/invitations.ts'
import {
  createPerson,
  findPersonByEmail,
  findPersonByReset,
  isResetExpired,
  isUnchanged,
  recordSignIn,
  setPassword,
} from '../../persistence/queries/people/people.ts'
import { countStranger } from '../../rate-limit/buckets.ts'
import { call } from '../call.ts'
import {
  doneAnswer,
  LINK_REQUEST,
  NEW_ACCOUNT_REQUEST,
  openInvitationAnswer,
  RESET_REQUEST,
  sessionAnswer,
} from '../contract.ts'
import { rememberBrowser } from '../known-browser.ts'
import { refuseWeakPassword } from '../password-rules.ts'
import { unlock } from '../sign-in-tries.ts'
import { personIn, showSession, startSessionOf } from '../started-session.ts'

export const ONE_TIME_LINKS = [
  // Sets the password of a person whose old one the operator has reset. It signs nobody in.
  call('POST /password', {
    who: 'anyone',
    reads: RESET_REQUEST,
    answers: doneAnswer,
    async run({ ctx, deps, em, read }) {
      const { vault, clock, passwords } = deps
      await admitStranger(deps, ctx)
      const { token, new_password: wanted } = read()
      const noReset = () => new ApiError('resource.password-reset.not-found')
      const [tokenHash, now] = [vault.hashSecret(token), clock.now()]
      const person = await findPersonByReset(em, tokenHash, now)
      if (person === null)
        throw (await isResetExpired(em, tokenHash, now)) ? new ApiError('resource.password-reset.expired') : noReset()
      refuseWeakPassword('new_password', wanted, person.email)
      const passwordHash = await passwords.hash(wanted, 'new account')
      await em.transactional(async (transaction) => {
        // Another password means that the link was used, or replaced by another reset.
        if (!(await isUnchanged(transaction, person))) throw noReset()
        await setPassword(transaction, person, { passwordHash })
        await unlock(deps, transaction, person.email)
      })
      rememberBrowser(deps, ctx, { ...person, passwordHash })
      return {}
    },
  }),

  // What the link of an invitation invites to. It tells nothing of whether the address has an account: the owner who made the
  // link has it as well.
  call('POST /invitation', {
    who: 'anyone',
    reads: LINK_REQUEST,
    answers: openInvitationAnswer,
    async run({ ctx, deps, em, read }) {
      await admitStranger(deps, ctx)
      const { projectName, email, role, invitedBy, expiresAt } = await openInvitation(deps, em, read().token)
      return {
        invitation: {
          ...{ project_name: projectName, email, role, invited_by: invitedBy },
          expires_at: presentTimestamp(expiresAt),
        },
      }
    },
  }),

  // Makes the account of an invited address, with a password that nobody else has seen, and lets it in.
  call('POST /account', {
    who: 'anyone',
    reads: NEW_ACCOUNT_REQUEST,
    answers: sessionAnswer,
    isSecret: true,
    async run({ ctx, deps, em, read }) {
      const { vault, clock, randomBytes, passwords } = deps
      await admitStranger(deps, ctx)
      const { token, name, password } = read()
      const { email } = await openInvitation(deps, em, token)
      refuseWeakPassword('password', password, email)
      const hasAccount = () => invalidState(`${email} has an account: sign in to it to accept the invitation.`)
      if ((await findPersonByEmail(em, email)) !== null) throw hasAccount()
      // Before the transaction, which holds locks.
      const passwordHash = await passwords.hash(password, 'new account')
      const now = clock.now()
      const { person, session } = await em.transactional(async (transaction) => {
        const made = await createPerson(transaction, { email, name, passwordHash, randomBytes, now })
        if (made === null) throw hasAccount()
        if (!(await acceptInvitation(transaction, { tokenHash: vault.hashSecret(token), person: made, now })))
          throw noInvitation()
        const started = await startSessionOf(deps, ctx, transaction, made)
        await recordSignIn(transaction, made, now)
        return { person: made, session: started }
      })
      session.give(ctx)
      rememberBrowser(deps, ctx, person)
      return showSession(em, session, person)
    },
  }),

  // Lets the person who is signed in into the project of an invitation.
  call('POST /membership', {
    who: 'signed in',
    reads: LINK_REQUEST,
    answers: sessionAnswer,
    isSecret: true,
    async run({ ctx, deps, em, read, change }) {
      const { token } = read()
      const person = await personIn(ctx, em)
      const { email } = await openInvitation(deps, em, token)
      if (email !== person.email)
        throw invalidState(`The invitation is for ${email}, and you are signed in as ${person.email}: sign out first.`)
      const accepted = { tokenHash: deps.vault.hashSecret(token), person, now: deps.clock.now() }
      if (!(await change((inner) => acceptInvitation(inner, accepted)))) throw noInvitation()
      return showSession(em, signedInOf(ctx), person)
    },
  }),
]

/** @throws ApiError 403 for pages of others; 429 after too many links from one address. */
async function admitStranger(deps: AppDeps, ctx: ApiContext): Promise<void> {
  refuseOtherPages(ctx, deps)
  const usage = await countStranger(deps.orm.em.fork(), networksOf(ctx.ip))
  ctx.state.usage = usage
  if (!usage.isAllowed) throw rateExceeded(usage)
}

/**
 * @throws ApiError 404 where the link ends. That its time is over is told, which only who has the secret of the link can ask;
 *   of one that has ended otherwise nothing is kept.
 */
async function openInvitation({ vault, clock }: AppDeps, em: EntityManager, token: string): Promise<Invitation> {
  const [tokenHash, now] = [vault.hashSecret(token), clock.now()]
  const invitation = await findInvitation(em, tokenHash, now)
  if (invitation !== null) return invitation
  throw (await isInvitationExpired(em, tokenHash, now)) ? new ApiError('resource.invitation.expired') : noInvitation()
}

function noInvitation(): ApiError {
  return new ApiError('resource.invitation.not-found')
}
