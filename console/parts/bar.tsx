// A share, drawn as a bar.

/** A share as a bar; the number stands beside it. */
export const Bar = ({ part, whole }: { part: number; whole: number }) => (
  <span class="bar" aria-hidden="true">
    <i style={{ width: `${whole > 0 ? (part / whole) * 100 : 0}%` }} />
  </span>
)
