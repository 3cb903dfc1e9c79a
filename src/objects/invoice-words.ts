/** The enumerated values of an invoice's fields. Source: ProcessOut's reference. */

export {
  CHALLENGE_INDICATORS,
  SCA_EXEMPTION_REASONS as EXEMPTION_REASONS,
} from '../../domain/routing/rule.ts'

export const DEVICE_CHANNELS = ['web', 'ios', 'android'] as const
export const DEVICE_PLATFORMS = ['web', 'ios', 'android', 'other'] as const

export const MERCHANT_INITIATOR_TYPES = ['recurring', 'one-off'] as const
export const INITIATION_TYPES = ['cit', 'mit'] as const
export const PAYMENT_INTENTS = [
  'one-off',
  'recurring',
  'recurring-standing-order',
  'recurring-subscription',
  'installment',
  'unscheduled',
  'unscheduled-delayed-charge',
  'unscheduled-resubmission',
  'unscheduled-no-show',
  'unscheduled-reauthorization',
] as const
export const PAYMENT_TYPES = ['moto', 'ecommerce'] as const

export const SHIPPING_METHODS = [
  'web',
  'collect-at-shop',
  'relay',
  'travel-station',
  'home',
  'shipping',
  'locker',
  'other',
] as const
export const SHIPPING_DELAYS = ['express', 'priority', 'standard', 'other'] as const

export const DETAIL_CATEGORIES = [
  'food',
  'entertainment',
  'home',
  'appliance',
  'bidding',
  'gift',
  'technology',
  'media',
  'communication',
  'health',
  'sport',
  'personal-service',
  'professional-service',
  'clothing',
  'travel',
  'tickets',
  'transport',
  'other',
] as const
export const DETAIL_CONDITIONS = ['new', 'refurbished', 'used', 'other'] as const
