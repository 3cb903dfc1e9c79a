/** Cells of every table whose rows are payments. */
import { Money, Nothing } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'

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
      <bdi className="truncate">{first}</bdi>
      {second && (
        <small className="truncate">
          <bdi>{second}</bdi>
        </small>
      )}
    </span>
  )
}
