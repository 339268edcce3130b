// Checks whether a page can be used without sight and without a pointer.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The violations of WCAG 2.2, levels A and AA, on the page as it is now. */
export async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate(async (source) => {
    // A test may add a script in spite of the page's content security policy, as developer tools do.
    const run = new Function(`${source}; return axe`)() as {
      run(where: Document, options: object): Promise<{ violations: Violation[] }>
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    // Off unless it is asked for: what is pressed is at least 24 pixels high and wide, or has room around it.
    const rules = { 'target-size': { enabled: true } }
    return (await run.run(document, { runOnly: { type: 'tag', values: tags }, rules })).violations
  }, axe)
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}
