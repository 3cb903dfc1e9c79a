import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { money, readAmount, typed } from '../../words/format.ts'
import { t } from '../../words/words.ts'

/** An amount that is all there is until somebody writes another one. */
export function useAmount(most: string, currency: string) {
  const [text, setText] = useState(typed(most))
  const { amount, problem } = readAmount(text, currency, most)
  return {
    /** Null while what is written is no amount. */
    amount: amount ?? null,
    isAll: amount === most,
    words: amount === undefined ? '…' : money(amount, currency),
    field: { value: text, onChange: setText, problem: problem ?? null, most, currency },
  }
}

export function AmountField({
  value,
  onChange,
  problem,
  most,
  currency,
  isFixed = false,
}: ReturnType<typeof useAmount>['field'] & {
  /** Where only all of it can be taken. */
  isFixed?: boolean
}) {
  return (
    <TextInput
      label={t('payment.amountIn', { currency })}
      // Where the amount is too high, the problem says the same.
      description={
        isFixed ? t('payment.noPart') : problem === null && t('common.amount.most', { most: money(most, currency) })
      }
      inputMode="decimal"
      autoComplete="off"
      data-autofocus
      // So that another amount takes the place of this one.
      onFocus={(event) => event.currentTarget.select()}
      readOnly={isFixed}
      value={value}
      error={problem}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
