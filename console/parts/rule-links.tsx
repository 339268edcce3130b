// Rules that a sentence of the service names, as links to them.

import { hrefOf } from '../core/address.ts'

const named = /(trap rule \d+)/

export const RuleLinks = ({ text }: { text: string }) =>
  text.split(named).map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={hrefOf('rule', part.slice(part.lastIndexOf(' ') + 1))}>
        {part}
      </a>
    ) : (
      <span key={index}>{part}</span>
    ),
  )
