// A share, drawn as a bar.

import { html } from '../core/html.ts'

/** A share as a bar; the number stands beside it. */
export const Bar = ({ part, whole }: { part: number; whole: number }) =>
  html`<span class="bar" aria-hidden="true"><i style=${{ width: `${whole > 0 ? (part / whole) * 100 : 0}%` }}></i></span>`
