// The nodes of the service: which runs, since when, and what is wrong with its clock or its work.

import { ageText, now } from '../core/time-text.ts'
import { overviewTexts as words } from '../texts/overview-texts.ts'

export interface Node {
  readonly name: string
  readonly address: string
  readonly version: string
  readonly state: 'running' | 'gone' | 'stopped'
  readonly since: string
  readonly lastSign: string
  readonly clockOffsetMilliseconds: string
  readonly settles: string
  readonly blocksWaiting: string
  readonly oldestSeconds: string
}

/** Beyond this, times of one node do not fit those of another. */
const clockLimit = 1000

const nodeText = ({ state, settles, since, lastSign }: Node) => {
  if (state !== 'running') return words.nodeStates[state](ageText(now.value / 1000 - Number(lastSign)))
  return words.nodeRuns(settles === 'true', ageText(now.value / 1000 - Number(since)))
}

export function Nodes({ nodes }: { nodes: readonly Node[] }) {
  return (
    <ul class="lines nodes">
      {nodes.map((node) => {
        const offset = Number(node.clockOffsetMilliseconds)
        const waiting = Number(node.blocksWaiting)
        return (
          <li key={`${node.name} ${node.address}`} class={node.state}>
            <b>{nodes.length === 1 ? words.thisNode : node.name}</b>
            <span>
              {nodeText(node)}
              {waiting > 0 && (
                <>
                  {' '}
                  <span class="tag">{words.nodeWaiting(waiting, ageText(Number(node.oldestSeconds)))}</span>
                </>
              )}
              {Math.abs(offset) > clockLimit && (
                <>
                  {' '}
                  <span class="tag danger">{words.nodeClock(offset)}</span>
                </>
              )}
            </span>
            <span class="hint">{node.version}</span>
          </li>
        )
      })}
    </ul>
  )
}
