/** How many payments a search finds and what they come to, added up answer by answer. */
import { useEffect, useState } from 'react'
import type { PaymentSumsAnswer } from '../../../../../src/dashboard/contract.ts'
import { ApiError, addressOf, type Query } from '../../service/api.ts'
import { useProject } from '../../service/session.tsx'
import { sumOf } from '../../words/format.ts'

export type PaymentSum = PaymentSumsAnswer['sums'][number]

/** So many are counted without being asked to, and by so many calls. */
const COUNTED_MAX = 10_000
const CALLS_MAX = 4

interface Counted {
  sums: readonly PaymentSum[]
  count: number
  /** Where the count goes on; null at the end, undefined before the first answer. */
  next: string | null | undefined
  calls: number
}

const NOTHING: Counted = { sums: [], count: 0, next: undefined, calls: 0 }

export interface PaymentSums extends Counted {
  error: ApiError | null
  isCounting: boolean
  countAll(): void
}

export function usePaymentSums(query: Query): PaymentSums {
  const { api, project } = useProject()
  const address = addressOf('/dashboard/payment-sums', query)
  const key = `${project.id} ${address}`
  const [counted, setCounted] = useState({ key, ...NOTHING })
  const [wanted, setWanted] = useState({ key, all: false })
  const [failed, setFailed] = useState<{ key: string; error: ApiError } | null>(null)
  const error = failed?.key === key ? failed.error : null
  const current = counted.key === key ? counted : NOTHING
  const { next, count, calls } = current
  const isCounting =
    error === null &&
    next !== null &&
    ((count < COUNTED_MAX && calls < CALLS_MAX) || (wanted.all && wanted.key === key))
  useEffect(() => {
    if (!isCounting) return
    let isLeft = false
    const after = next ? `${address.includes('?') ? '&' : '?'}start_after=${next}` : ''
    api.get<PaymentSumsAnswer>(address + after).then(
      (answer) => !isLeft && setCounted((before) => ({ key, ...added(before.key === key ? before : NOTHING, answer) })),
      (failure) => !isLeft && failure instanceof ApiError && setFailed({ key, error: failure }),
    )
    return () => {
      isLeft = true
    }
  }, [api, address, key, next, isCounting])
  return { ...current, error, isCounting, countAll: () => setWanted({ key, all: true }) }
}

/** What was counted before and what has come, by currency. */
function added({ sums, count, calls }: Omit<Counted, 'next'>, answer: PaymentSumsAnswer): Counted {
  const currencies = new Set([...sums, ...answer.sums].map(({ currency }) => currency))
  const both = [...currencies].map((currency) => {
    const ones = [...sums, ...answer.sums].filter((sum) => sum.currency === currency)
    const amount = (name: Exclude<keyof PaymentSum, 'currency' | 'count'>) =>
      sumOf(
        ones.map((sum) => sum[name]),
        currency,
      )
    return {
      currency,
      count: ones.reduce((total, sum) => total + sum.count, 0),
      amount: amount('amount'),
      captured_amount: amount('captured_amount'),
      refunded_amount: amount('refunded_amount'),
      disputed_amount: amount('disputed_amount'),
      net_amount: amount('net_amount'),
    }
  })
  const more = answer.sums.reduce((total, sum) => total + sum.count, 0)
  return { sums: both, count: count + more, next: answer.next, calls: calls + 1 }
}
