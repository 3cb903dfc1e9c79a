import { environmentOf } from '../../../domain/environment.ts'
import { PERMISSIONS_OF_ROLE } from '../../../domain/role.ts'
import {
  type AccountField,
  accountFields,
  choicesIn,
  type InstalledGateway,
  isRequired,
} from '../../gateways/account.ts'
import { GATEWAYS, installedGateway } from '../../gateways/installed.ts'
import { recordCallersAct } from '../../http/acts.ts'
import { type ApiContext, callerOf, scopeOf } from '../../http/context.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { refuseBeyond } from '../../http/middleware/limit-address.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import type { MayOfRole } from '../../http/route-access.ts'
import { serviceAddress } from '../../http/service-address.ts'
import { presentTimestamp } from '../../objects/values.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findActsOnGateway, type RecordedAct } from '../../persistence/queries/audit/latest-acts.ts'
import { findPerson } from '../../persistence/queries/people/people.ts'
import { findGatewayConfiguration } from '../../persistence/queries/projects/gateway-configurations.ts'
import { findNotificationRefusal } from '../../persistence/queries/projects/notification-refusals.ts'
import { countConnectionTest } from '../../rate-limit/buckets.ts'
import { call } from '../call.ts'
import {
  connectionAnswer,
  type Gateway,
  type GatewayChange,
  gatewayAccountAnswer,
  gatewaysAnswer,
} from '../contract.ts'

/** The only gateway that takes no live money. */
const SANDBOX_ONLY = 'simulator'

/** As many as are seen at a glance. */
const CHANGES_SHOWN = 10

/** Whoever may change an account may test it. */
const configures: MayOfRole = (role) => PERMISSIONS_OF_ROLE[role].includes('configuration')

export const GATEWAYS_OF_SERVICE = [
  // What an account at each gateway may be set up with, in this environment.
  call('GET /gateways', {
    who: everyRole,
    answers: gatewaysAnswer,
    async run({ ctx }) {
      const gateways = GATEWAYS.filter(({ name }) => callerOf(ctx).sandbox || name !== SANDBOX_ONLY)
      return { gateways: gateways.map((gateway) => presentGateway(gateway, callerOf(ctx).sandbox)) }
    },
  }),

  // What the interface does not show of an account: where its gateway sends notifications, and who has changed it.
  call('GET /gateway-configurations/:id', {
    who: everyRole,
    answers: gatewayAccountAnswer,
    async run({ ctx, deps, em }) {
      const { id, gatewayName } = await accountIn(ctx, em)
      const acts = await findActsOnGateway(em, scopeOf(ctx), { id, limit: CHANGES_SHOWN })
      const refused = await findNotificationRefusal(em, scopeOf(ctx), id)
      const takesNotifications = installedGateway(gatewayName)?.notifications != null
      return {
        gateway_configuration: {
          notification_address: takesNotifications
            ? `${serviceAddress(deps, ctx.req)}/gateways/${gatewayName}/notifications/${id}`
            : null,
          refused_notifications: refused && {
            times: refused.times,
            reason: refused.reason,
            first_at: presentTimestamp(refused.firstAt),
            last_at: presentTimestamp(refused.lastAt),
          },
          changes: await presentChanges(em, acts),
        },
      }
    },
  }),

  // Asks the gateway whether it knows the account; moves no money and changes nothing.
  call('POST /gateway-configurations/:id/test', {
    who: configures,
    answers: connectionAnswer,
    oneAtOnce: 'Another test of yours is still running.',
    async run({ ctx, deps, em, change }) {
      const account = await accountIn(ctx, em)
      refuseBeyond(ctx, await countConnectionTest(em, account.id))
      const tested = (await deps.testConnection(account, AbortSignal.timeout(deps.waits.connectionTestMs))) ?? {
        result: 'not-offered' as const,
        account: null,
        code: null,
      }
      await change((transaction) =>
        recordCallersAct(ctx, transaction, 'gateway-configuration.tested', {
          gateway_configuration_id: account.id,
          gateway_name: account.gatewayName,
          result: tested.result,
        }),
      )
      return { connection: tested }
    },
  }),
]

function accountIn(ctx: ApiContext, em: EntityManager) {
  return foundIn(ctx, 'gatewayConfiguration', (scope, id) => findGatewayConfiguration(em, scope, id))
}

function presentGateway(gateway: InstalledGateway, sandbox: boolean): Gateway {
  const { name, displayName, notifications } = gateway
  const { credentials, settings } = accountFields(gateway)
  const present = (fields: Readonly<Record<string, AccountField>>) =>
    Object.entries(fields)
      // Without a meaning in the other environment.
      .filter(([, { isRequired: needed = true }]) => needed === true || needed === environmentOf(sandbox))
      .map(([fieldName, field]) => presentField(fieldName, field, sandbox))
  return {
    name,
    display_name: displayName,
    credentials: present(credentials),
    settings: present(settings),
    notifications:
      notifications === null
        ? null
        : { ...notifications, steps: [...notifications.steps], events: [...notifications.events] },
  }
}

function presentField(name: string, field: AccountField, sandbox: boolean): Gateway['settings'][number] {
  const { label, says, choices, range, form, example = null, isRare = false } = field
  const environment = environmentOf(sandbox)
  return {
    name,
    label,
    says,
    required: isRequired(field, environment),
    choices:
      choices === undefined
        ? null
        : choicesIn(field, environment).map(({ value, label: words }) => ({ value, label: words })),
    range: range === undefined ? null : { min: range[0], max: range[1] },
    form: form === undefined ? null : { pattern: form.pattern.source, flags: form.pattern.flags, says: form.says },
    example,
    rare: isRare,
  }
}

async function presentChanges(em: EntityManager, acts: readonly RecordedAct[]): Promise<GatewayChange[]> {
  const names = new Map<string, string | null>()
  for (const { actor } of acts) {
    if (names.has(actor)) continue
    const [kind, personId = ''] = actor.split(':')
    names.set(actor, kind === 'person' ? ((await findPerson(em, personId))?.name ?? null) : null)
  }
  return acts.map(({ kind, actor, facts, at }) => ({
    at: presentTimestamp(at),
    what: kind.replace('gateway-configuration.', ''),
    by: { kind: actor.split(':')[0] ?? actor, name: names.get(actor) ?? null },
    fields: changedFields(facts),
    result: typeof facts.result === 'string' ? facts.result : null,
  }))
}

/** The names of what was given; of credentials and settings each by itself, and no value. */
function changedFields({ changed, credentials, settings }: RecordedAct['facts']): string[] {
  const ofGroup = (group: string, names: unknown) => listOf(names).map((name) => `${group}.${name}`)
  return [
    ...listOf(changed)
      .filter((name) => name !== 'credentials' && name !== 'settings')
      .map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ...ofGroup('credentials', credentials),
    ...ofGroup('settings', settings),
  ]
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
