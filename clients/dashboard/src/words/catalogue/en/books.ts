export const books = {
  title: 'Books',
  about: 'Your captures and refunds, compared with what your gateways say that they have booked.',
  account: 'Account',
  open: 'Open',
  resolved: 'Resolved',
  difference: {
    title: 'Differences',
    one: 'Difference',
    which: 'Which differences',
    nothing: 'Nothing to follow up',
    none: 'No differences',
    about:
      'Every day, what a gateway has booked is compared with your captures and refunds. What does not agree stands here until it is resolved.',
    notCompared: 'Nothing was compared yet',
    comparison:
      'An hour after midnight in UTC, each gateway that lists what it has booked is asked for the day before. One that has reports instead, such as Adyen, is compared as soon as your server has handed in a report.',
    found: 'Found',
    resolvedBy: '<at></at> by <by></by>',
    agreed: 'Both sides agree by now.',
    missingAtGateway:
      '{type, select, refund {Our books have a refund of {our}, the gateway has none.} other {Our books have a capture of {our}, the gateway has none.}}',
    missingInBooks:
      '{type, select, refund {The gateway booked a refund of {their}, our books have none.} other {The gateway booked a capture of {their}, our books have none.}}',
    amount:
      '{type, select, refund {The gateway booked a refund of {their}, our books have {our}.} other {The gateway booked a capture of {their}, our books have {our}.}}',
    twice:
      '{type, select, refund {The gateway booked a refund of {their} more than once, our books have it once.} other {The gateway booked a capture of {their} more than once, our books have it once.}}',
    state:
      '{type, select, refund {The gateway booked a refund of {their}} other {The gateway booked a capture of {their}}}{undone, select, yes { and took it back} other {}}, our books have it {state, select, succeeded {as done} failed {as failed} other {as not decided yet}}.',
  },
  resolve: {
    action: 'Resolve',
    title: 'Resolve the difference',
    forGood: 'Resolve for good',
    done: 'The difference was resolved.',
    about: 'Resolve it when nothing is left to be done: no money moves, no payment changes, and it is not found again.',
    reason: 'Reason',
    reasonAbout: 'Why no action is left. It is kept with the difference, together with your name.',
  },
  reconciliation: {
    title: 'Reconciliations',
    about: 'One for each account and day in UTC, and for each report.',
    none: 'No reconciliations yet',
    day: 'Day',
    report: 'A report',
    lines: 'Lines',
    nextTry: 'Next try <at></at>',
    compared: 'Compared',
    waiting: 'Waiting',
    failing: 'Failing',
  },
  export: {
    transactions: 'Payments, as they stand now',
    operations: 'Operations: what became of each step',
    refunds: 'Refunds, as they stand now',
    download: 'Download',
    what: 'What',
    from: 'From',
    to: 'To',
    days: 'Days are those of UTC, the last one included.',
    written: '{count, plural, one {# row} other {# rows}} written',
  },
} as const
