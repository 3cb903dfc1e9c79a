import Sequencer from '@jest/test-sequencer'

/**
 * The files that take longest, the longest first: on a machine where Jest has timed nothing yet it goes by the size of the
 * files, and one of these begun last would leave the other workers idle.
 */
const SLOW_FILES = [
  'workflows/webhook-real-time',
  'versions/broken-history.long',
  'journeys/fuzz.long',
  'docs/guides/receivers.long',
  'admin/rotation',
  'docs/guides/self-hosting.long',
  'docs/guides/quickstart.long',
  'clients/mobile/android.long',
  'clients/mobile/ios.long',
  'chaos/webhooks',
  'versions/broken-throws.long',
  'versions/previous-release.long',
  'journeys/test-clock',
  'journeys/restart',
  'journeys/rolling-restart',
  'browser/dashboard-access',
  'workflows/webhook-takeover',
  'browser/hosted-page',
  'journeys/apart',
  'journeys/races',
  'journeys/held-payment',
  'journeys/captures',
  'browser/demo-shop',
  'workflows/payment-faults',
  'workflows/webhook',
  'browser/dashboard-payments',
  'journeys/postman',
  'http/payments/execute-command',
  'http/dashboard/access',
  'workflows/payment-stuck',
  'gateways/stripe/shapes',
  'http/meetings',
  'browser/dashboard-setup',
  'activities/held-payment',
  'browser/temporal-ui',
  'clients/browser/browser-payments',
  'clients/browser/browser-interruptions',
  'journeys/idempotency',
  'journeys/events/stories',
  'journeys/refunds',
  'http/server/http-server',
  'http/webhook-recovery',
  'activities/races-retries',
  'rate-limit/processes',
  'rate-limit/take-requests',
]

export default class SlowFilesFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const rank = SLOW_FILES.findIndex((name) => path.endsWith(`/test/${name}.test.ts`))
      return rank === -1 ? SLOW_FILES.length : rank
    }
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
