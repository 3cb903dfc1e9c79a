/** The pages of the site by task, in the order of its navigation; paths are those of the repository. */
export const NAVIGATION: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Start', pages: ['README.md', 'docs/guides/quickstart.md', 'docs/guides/README.md'] },
  {
    title: 'Take a payment',
    pages: [
      'docs/guides/accept-a-card.md',
      'docs/guides/delayed-capture.md',
      'docs/guides/incremental-authorization.md',
      'docs/guides/merchant-initiated-payments.md',
      'docs/guides/errors.md',
      'docs/api.md',
      'docs/authentication.md',
      'docs/three-d-secure.md',
      'docs/states.md',
      'docs/errors.md',
      'docs/lists.md',
      'docs/rate-limits.md',
      'docs/merchant-advice.md',
      'docs/test-clock.md',
      'src/gateways/simulator/README.md',
    ],
  },
  {
    title: 'Use a library',
    pages: [
      'docs/card-form.md',
      'docs/hosted-page.md',
      'docs/mobile.md',
      'docs/compatibility.md',
      'clients/node/README.md',
      'clients/cli/README.md',
    ],
  },
  { title: 'Receive webhooks', pages: ['docs/guides/webhooks.md', 'docs/webhooks.md', 'docs/events.md'] },
  {
    title: 'Manage gateways',
    pages: [
      'docs/gateway-configurations.md',
      'src/gateways/stripe/README.md',
      'src/gateways/adyen/README.md',
      'docs/routing.md',
      'docs/gateway-notifications.md',
      'docs/isolation.md',
      'docs/books.md',
    ],
  },
  {
    title: 'Run it',
    pages: [
      'docs/guides/self-hosting.md',
      'docs/guides/going-live.md',
      'docs/settings.md',
      'docs/security.md',
      'docs/pci.md',
      'docs/keys.md',
      'docs/operations.md',
      'docs/performance.md',
      'docs/reliability.md',
    ],
  },
  {
    title: 'Look after it',
    pages: ['docs/administration.md', 'docs/dashboard.md', 'docs/support.md', 'docs/runbook.md', 'docs/audit.md'],
  },
  {
    title: 'Change it',
    pages: [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'docs/testing.md',
      'docs/gateways.md',
      'docs/stand-ins.md',
      'docs/glossary.md',
      'docs/benchmarks.md',
      'docs/upstream/temporal-sdk-cpu.md',
      'clients/README.md',
      'clients/browser/README.md',
      'clients/dashboard/README.md',
      'clients/android/README.md',
      'clients/ios/README.md',
      'clients/react-native/README.md',
      'CHANGELOG.md',
    ],
  },
]

/** Folders whose pages stand in a section of their own, in the order of their names. */
export const FOLDERS: readonly { title: string; folder: string }[] = [{ title: 'Decisions', folder: 'docs/decisions' }]
