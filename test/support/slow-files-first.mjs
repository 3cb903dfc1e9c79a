import Sequencer from '@jest/test-sequencer'

/**
 * The files that take longest, the longest first: on a machine where Jest has timed nothing yet it goes by the size of the
 * files, and one of these begun last would leave the other workers idle.
 */
const SLOW_FILES = [
  'workflows/webhook-real-time',
  'browser/hosted-page',
  'browser/demo-shop',
  'browser/dashboard-access',
  'browser/dashboard-payments',
  'browser/dashboard-setup',
  'journeys/fuzz',
  'scripts/rotation',
  'docs/guides/receivers',
  'docs/guides/self-hosting',
  'docs/guides/quickstart',
  'activities/races-retries',
  'activities/model',
  'clients/mobile/android',
  'journeys/races',
  'activities/races',
  'activities/races-deadlines',
  'http/error-codes',
  'clients/mobile/ios',
  'journeys/captures',
  'journeys/test-clock',
  'journeys/restart',
  'journeys/suspension',
  'journeys/held-payment',
  'clients/browser/browser-appearance',
  'rate-limit/processes',
  'rate-limit/take-requests',
  'http/hostile-requests',
  'http/server/http-server',
  'chaos/webhooks',
  'workflows/webhook-takeover',
  'journeys/webhooks-rotation',
  'journeys/events/stories',
  'workflows/payment-faults',
  'journeys/refunds',
  'journeys/apart',
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
