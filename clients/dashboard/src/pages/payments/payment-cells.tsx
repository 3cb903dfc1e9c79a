/** Cells of every table whose rows are payments. */
import { Money, Nothing } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'
import { isolated } from '../../words/words.ts'

/** The amount, which leads to the payment. */
export function PaymentLink({ id, amount, currency }: { id: string; amount: string; currency: string }) {
  const { href } = useProject()
  return (
    // Stretched over the row by the style sheet; without a query, so that one can come back to this list.
    <a href={href(['payments', id])} className="row-link">
      <Money amount={amount} currency={currency} />
    </a>
  )
}

/** Texts of others, one below the other. */
export function Two({ first, second }: { first: string | null; second: string | null }) {
  if (first === null) return <Nothing />
  return (
    <span className="two-lines">
      <bdi className="truncate" title={isolated(first)}>
        {first}
      </bdi>
      {second && <Second text={second} />}
    </span>
  )
}

/** A text of others below another one. */
export function Second({ text }: { text: string }) {
  return (
    <bdi className="truncate second" title={isolated(text)}>
      {text}
    </bdi>
  )
}
