// Every operation answers as it is recorded, in XML and JSON, at the root and below /imcrs, on both stores.

import { test } from 'node:test'
import { stores } from '../support.ts'
import { byAnswer, probe } from './probes.ts'
import { type Blocks, hold } from './recorded.ts'
import { chapters } from './steps.ts'
import { Walk } from './walk.ts'

const walks = [
  { form: 'xml', root: '' },
  { form: 'json', root: '' },
  { form: 'xml', root: '/imcrs' },
  { form: 'json', root: '/imcrs' },
] as const

/** In it everything is deleted: before it, there is something to refuse. */
const lastChapter = 'endings'

const labelOf = ({ form, root }: { readonly form: string; readonly root: string }) =>
  root === '' ? form : `${form} below ${root}`

for (const store of stores) {
  test(`operations answer as recorded on ${store.name}`, async (t) => {
    const begun = await Promise.all(walks.map(({ form, root }) => Walk.begin(store, form, root)))
    try {
      for (const chapter of Object.keys(chapters)) {
        if (chapter === lastChapter) {
          const refused = await Promise.all(begun.slice(0, 2).map(probe))
          await t.test('refusals', () => hold('refusals', store.name, byAnswer(refused)))
        }
        const taken = await Promise.all(begun.map((walk) => walk.take(chapter)))
        await t.test(chapter, () => hold(chapter, store.name, gather(taken)))
      }
    } finally {
      for (const walk of begun) await walk.end()
    }
  })
}

/** Title → forms. */
function gather(taken: readonly ReadonlyMap<string, string>[]): Blocks {
  const blocks: Blocks = new Map()
  for (const [index, answers] of taken.entries()) {
    const label = labelOf(walks[index] ?? walks[0])
    for (const [title, text] of answers) blocks.set(title, (blocks.get(title) ?? new Map()).set(label, text))
  }
  return blocks
}
