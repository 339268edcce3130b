// Plays the incidents of definitions/demo in the sample network: the traps that devices would send, several incidents at
// a time. Who takes part and when is random, by a source of chance that is passed in.

import { beginIncident, Cast, type Chance, pick, type Step, type StoryDevice } from './demo-incident.ts'
import { demoIncidents } from './incident-file.ts'

/** The number of incidents at a time: networks rarely have one problem only. */
const atOnce = 3

/** The steps of all incidents in random order, several incidents at a time; repeated `chapters` times. */
export function* storySteps(
  devices: readonly StoryDevice[],
  chance: Chance,
  chapters = Number.POSITIVE_INFINITY,
): Generator<Step> {
  const cast = new Cast(devices, chance)
  const incidents = demoIncidents()
  for (let chapter = 0; chapter < chapters; chapter += 1) {
    const waiting = shuffled(incidents, chance)
    const running: { devices: readonly StoryDevice[]; left: Step[] }[] = []
    let sent = false
    while (running.length > 0 || waiting.length > 0) {
      const incident = running.length < atOnce ? waiting.pop() : undefined
      const begun = incident && beginIncident(incident, cast)
      if (begun) {
        cast.hold(begun.devices)
        running.push({ devices: begun.devices, left: [...begun.steps] })
      }
      const next = pick(running, chance)
      const step = next?.left.shift()
      if (!next || !step) continue
      sent = true
      yield step
      if (next.left.length === 0) {
        running.splice(running.indexOf(next), 1)
        cast.release(next.devices)
      }
    }
    // A network without suitable devices has no incidents.
    if (!sent) return
  }
}

function shuffled<T>(from: readonly T[], chance: Chance): T[] {
  const left = [...from]
  for (let last = left.length - 1; last > 0; last -= 1) {
    const other = Math.floor(chance() * (last + 1))
    ;[left[last], left[other]] = [left[other] as T, left[last] as T]
  }
  return left
}
